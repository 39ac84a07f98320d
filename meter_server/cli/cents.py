"""Amounts that people type in dollars and programs send in cents."""

import click

from meter_server.cli.output import Refusal
from meter_server.domain.money import MICROS_PER_CENT, parse_dollars


class Cents(click.ParamType[int]):
    """Dollars and cents, as whole cents."""

    name = "dollars"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        del param, ctx
        if isinstance(value, int):
            return value
        try:
            cents, rest = divmod(parse_dollars(value), MICROS_PER_CENT)
        except ValueError as error:
            raise Refusal(str(error)) from None
        if rest:
            raise Refusal(f"'{value}' is not whole cents: write it like 5 or 2.50.")
        return cents
