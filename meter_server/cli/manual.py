"""``meter-server manual``: working on paper, keyed in afterwards by two persons."""

from typing import Any

import click

from meter_server.cli.cents import Cents
from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.reported import Instant, hand_option, shared_option
from meter_server.cli.signed_in import acting

_paper_option = click.option("--paper", required=True, help="Where the paper is found.")
_at_option = click.option("--at", type=Instant(), required=True, help="The time on the paper.")


@click.group()
def manual() -> None:
    """Declare and end manual arrangements, and key in what stands on paper."""


@manual.command("list")
@click.option("--table", help="Only those of this table.")
@acting
@json_option
def list_gaps(api: Api, table: str | None, as_json: bool) -> None:
    """List when tables worked on paper, and whether paper and record say the same."""
    items = api.every("/v1/manual", **({} if table is None else {"table": table}))
    if as_json:
        print_json(items)
        return
    headings = ("Table", "From", "To", "Reason", "On paper", "Keyed in", "Reconciled")
    print_table("Manual arrangements", headings, [_row(one) for one in items])


@manual.command()
@click.argument("table")
@click.option("--reason", required=True, help="Why the equipment cannot be used.")
@acting
def declare(api: Api, table: str, reason: str) -> None:
    """Declare manual arrangements at a table."""
    api.command(f"/v1/tables/{table}/manual", {"reason": reason})
    click.echo(f"Table {table} works on paper from now on.")


@manual.command()
@click.argument("table")
@click.option("--rounds", type=int, required=True, help="How many rounds stand on the paper.")
@click.option("--wagers", type=int, required=True, help="How many Jackpot wagers stand on it.")
@acting
def end(api: Api, table: str, rounds: int, wagers: int) -> None:
    """End manual arrangements once everything on paper is keyed in."""
    body = {"paper_rounds": rounds, "paper_wagers": wagers}
    api.command(f"/v1/tables/{table}/manual/end", body)
    gap = api.every("/v1/manual", table=table)[-1]
    told = "agree" if gap["reconciled"] else "DIFFER: see 'meter-server manual list'"
    click.echo(f"Table {table} works with the system again. Paper and record {told}.")


@manual.command("key-in-wagers")
@click.argument("table")
@click.option("--line", required=True, help="Names the round: sheet and line, for example 12-4.")
@click.option("--seat", "seats", type=int, multiple=True, required=True, help="Repeat it.")
@click.option("--cost", type=Cents(), required=True, help="The cost of the Jackpot wager.")
@_paper_option
@_at_option
@acting
@json_option
def key_in_wagers(
    api: Api,
    *,
    table: str,
    line: str,
    seats: tuple[int, ...],
    cost: int,
    paper: str,
    at: str,
    as_json: bool,
) -> None:
    """Propose a registration that stands on paper; its round is paper/TABLE/LINE."""
    body = {"line": line, "seats": list(seats), "cost_cents": cost, "paper": paper, "at": at}
    tell_proposed(api.post(f"/v1/tables/{table}/paper", body), as_json=as_json)


@manual.command("key-in-outcome")
@click.argument("round_id", metavar="ROUND")
@hand_option
@shared_option
@click.option("--case", help="The misdeal despite which the jackpot is settled.")
@_paper_option
@_at_option
@acting
@json_option
def key_in_outcome(
    api: Api,
    *,
    round_id: str,
    hands: tuple[dict[str, Any], ...],
    shared: str,
    case: str | None,
    paper: str,
    at: str,
    as_json: bool,
) -> None:
    """Propose an outcome that stands on paper."""
    body = {
        "hands": list(hands),
        "shared_cards": shared,
        "case": case,
        "paper": paper,
        "at": at,
    }
    tell_proposed(api.post(f"/v1/rounds/{round_id}/paper", body), as_json=as_json)


@manual.command("key-in-irregularity")
@click.argument("table")
@click.option("--round", "round_id", required=True, help="The round that the paper tells of.")
@click.option("--case", required=True, help="See 'meter-server rules --section irregularities'.")
@click.option("--seat", "seats", type=int, multiple=True, help="A seat concerned; repeat it.")
@click.option(
    "--joining", type=int, multiple=True, help="A seat whose wager was not registered; repeat it."
)
@click.option("--reason", required=True, help="What the paper says about it.")
@_paper_option
@_at_option
@acting
@json_option
def key_in_irregularity(
    api: Api,
    *,
    table: str,
    round_id: str,
    case: str,
    seats: tuple[int, ...],
    joining: tuple[int, ...],
    reason: str,
    paper: str,
    at: str,
    as_json: bool,
) -> None:
    """Propose an irregularity that stands on paper; one of the two has the rank of its case."""
    body = {
        "round": round_id,
        "case": case,
        "seats": list(seats),
        "joining": list(joining),
        "reason": reason,
        "paper": paper,
        "at": at,
    }
    tell_proposed(api.post(f"/v1/tables/{table}/paper/irregularities", body), as_json=as_json)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    on_paper = "-"
    if one["paper_rounds"] is not None:
        on_paper = f"{one['paper_rounds']} rounds, {one['paper_wagers']} wagers"
    keyed = f"{one['keyed_rounds']} rounds, {one['keyed_wagers']} wagers"
    irregularities = sum(len(played["irregularities"]) for played in one["rounds"])
    if irregularities:
        keyed += f", irregularities: {irregularities}"
    if one["without_outcome"]:
        keyed += f", no outcome yet of {', '.join(one['without_outcome'])}"
    return (
        one["table"],
        f"{one['declared_at']} by {one['declared_by']}",
        f"{one['ended_at']} by {one['ended_by']}" if one["ended_at"] else "still",
        one["reason"],
        on_paper,
        keyed,
        "yes" if one["reconciled"] else "no",
    )
