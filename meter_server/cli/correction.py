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

trial_option = click.option(
    "--trial", is_flag=True, help="Only show what it would do: nothing is proposed or recorded."
)


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
    headings = ("Proposal", "Round", "What", "State", "By", "Reason", "Later prizes")
    print_table("Corrections", headings, [_row(one) for one in items])


@correction.command()
@click.argument("round_id", metavar="ROUND")
@hand_option
@shared_option
@click.option("--admit", "admitted", type=int, multiple=True, help="A seat never registered.")
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@trial_option
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
    trial: bool,
    as_json: bool,
) -> None:
    """Propose to settle a round again with the hands as they should have been recorded."""
    body = {
        "hands": list(hands),
        "shared_cards": shared,
        "admitted": list(admitted),
        "reason": reason,
    }
    _ask(api, f"/v1/rounds/{round_id}/corrections", body, trial=trial, as_json=as_json)


@correction.command()
@click.argument("round_id", metavar="ROUND")
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@click.option("--invalidated", help="The case by which the outcome is invalid: wagers go back.")
@trial_option
@acting
@json_option
def void(
    api: Api, *, round_id: str, reason: str, invalidated: str | None, trial: bool, as_json: bool
) -> None:
    """Propose to void a settlement."""
    body = {"reason": reason, "invalidated": invalidated}
    _ask(api, f"/v1/rounds/{round_id}/voids", body, trial=trial, as_json=as_json)


def _ask(api: Api, path: str, body: object, *, trial: bool, as_json: bool) -> None:
    if not trial:
        tell_proposed(api.post(path, body), as_json=as_json)
        return
    would = api.post(f"{path}/trial", body)
    if as_json:
        print_json(would)
        return
    entries = [
        (one["meter"], one["kind"], dollars(one["amount_micros"]), dollars(one["after_micros"]))
        for one in would["entries"]
    ]
    print_table("It would post", ("System", "Entry", "Amount", "Meter then"), entries)
    prizes = [
        (one["prize"], one["state"], dollars(one["amount_cents"] * MICROS_PER_CENT))
        for one in would["prizes"]
    ]
    print_table("Prizes it would make or change", ("Prize", "State", "Amount"), prizes)
    later = [(_later(one),) for one in would["later_prizes"]] or [("none",)]
    print_table("Later prizes that would have been others", ("",), later)
    click.echo("This was a trial: nothing is proposed or recorded.")


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
