"""Hands and times as a person types them: ``--hand 3:AsKs``, ``--hand 4:flush``."""

from datetime import UTC, datetime
from typing import Any

import click

from meter_server.domain.cards import format_cards, parse_cards
from meter_server.domain.hands import Hand
from meter_server.domain.refusals import Refused


class HandReported(click.ParamType[dict[str, Any]]):
    """A seat with its cards, with the name of its hand, or folded."""

    name = "seat:hand"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, Any]:
        seat, colon, held = value.partition(":")
        if not colon or not seat.isdigit() or not held:
            self.fail(f"'{value}' is not a seat and its hand: write 3:AsKs or 3:flush.", param, ctx)
        report: dict[str, Any] = {"seat": int(seat), "hand": None, "cards": "", "folded": False}
        if held == "fold":
            return report | {"folded": True}
        if held in {hand.value for hand in Hand}:
            return report | {"hand": held}
        return report | {"cards": Cards().convert(held, param, ctx)}


class Cards(click.ParamType[str]):
    """Cards in any writing, or none: hands may be told by their names alone."""

    name = "cards"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value:
            return ""
        try:
            return format_cards(parse_cards(value))
        except (ValueError, Refused) as error:
            self.fail(str(error), param, ctx)


class Instant(click.ParamType[str]):
    """A time with its offset from UTC, as the wire has it."""

    name = "time"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            read = None
        if read is None or read.tzinfo is None:
            self.fail(
                f"'{value}' is not a time with its offset: write 2026-03-02T19:30:00+11:00.",
                param,
                ctx,
            )
        text = read.astimezone(UTC).isoformat(timespec="microseconds")
        return text.replace("+00:00", "Z")


hand_option = click.option(
    "--hand", "hands", type=HandReported(), multiple=True, help="A seat and its hand; repeat it."
)
shared_option = click.option(
    "--shared", type=Cards(), default="", help="The Flop or the Jackpot Cards."
)
