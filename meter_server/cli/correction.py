"""``meter-server correction``: settlements put right or voided, by two persons."""

from typing import Any

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.reported import hand_option, shared_option
from meter_server.cli.signed_in import acting
from meter_server.domain.money import MICROS_PER_CENT, dollars

_ACTIONS = ("correct-settlement", "void-settlement")


@click.group()
def correction() -> None:
    """Put settlements right, or void them. Nothing is ever edited."""


@correction.command("list")
@acting
@json_option
def list_corrections(api: Api, as_json: bool) -> None:
    """List corrections and voids, and the later prizes that differ by them."""
    items = [one for one in api.every("/v1/proposals") if one["action"] in _ACTIONS]
    if as_json:
        print_json(items)
        return
    headings = ("Proposal", "Round", "What", "State", "By", "Reason", "Later prizes that differ")
    print_table("Corrections", headings, [_row(one) for one in items])


@correction.command()
@click.argument("round_id", metavar="ROUND")
@hand_option
@shared_option
@click.option("--admit", "admitted", type=int, multiple=True, help="A seat never registered.")
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@acting
@json_option
def settle(
    api: Api,
    *,
    round_id: str,
    hands: tuple[dict[str, Any], ...],
    shared: str,
    admitted: tuple[int, ...],
    reason: str,
    as_json: bool,
) -> None:
    """Propose to settle a round again with the hands as they should have been recorded."""
    body = {
        "hands": list(hands),
        "shared_cards": shared,
        "admitted": list(admitted),
        "reason": reason,
    }
    tell_proposed(api.post(f"/v1/rounds/{round_id}/corrections", body), as_json=as_json)


@correction.command()
@click.argument("round_id", metavar="ROUND")
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@click.option("--invalidated", help="The case by which the outcome is invalid: wagers go back.")
@acting
@json_option
def void(api: Api, round_id: str, reason: str, invalidated: str | None, as_json: bool) -> None:
    """Propose to void a settlement."""
    body = {"reason": reason, "invalidated": invalidated}
    tell_proposed(api.post(f"/v1/rounds/{round_id}/voids", body), as_json=as_json)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    later = (one["result"] or {}).get("later_prizes", [])
    return (
        one["id"],
        one["body"]["round"],
        one["action"].removesuffix("-settlement"),
        one["state"],
        ", ".join(name for name in (one["proposed_by"], one["confirmed_by"]) if name),
        one["body"]["reason"],
        "; ".join(_later(prize) for prize in later) or "-",
    )


def _later(prize: dict[str, Any]) -> str:
    won, due = (dollars(prize[name] * MICROS_PER_CENT) for name in ("won_cents", "due_cents"))
    return f"{prize['prize']} won {won}, would be {due}"
