"""``meter-server meter``: what a meter recorded, then and now."""

from collections.abc import Iterator
from typing import Any

import click

from meter_server.cli.client import Api
from meter_server.cli.output import Refusal, json_option, print_json, print_table
from meter_server.cli.signed_in import acting
from meter_server.domain.money import dollars

Row = tuple[str, str, str]


@click.group()
def meter() -> None:
    """Read meters as at any moment, and the statements of settlements."""


@meter.command()
@click.argument("system")
@click.option("--at", help="As at an instant, such as 2027-03-01T02:10:00Z.")
@click.option("--seq", type=click.IntRange(min=1), help="As at an entry, by its number.")
@click.option("--round", "round_id", help="As at the time for settlement of a round.")
@acting
@json_option
def read(
    api: Api, system: str, at: str | None, seq: int | None, round_id: str | None, as_json: bool
) -> None:
    """Read the meter of a SYSTEM as it stood: by instant, entry or settlement."""
    given = {"at": at, "seq": seq, "round": round_id}
    asked = {name: str(value) for name, value in given.items() if value is not None}
    if len(asked) != 1:
        raise Refusal("Name the moment by one of --at, --seq and --round.")
    found = api.get(f"/v1/systems/{system}/reading", **asked)
    if as_json:
        print_json(found)
        return
    click.echo(
        f"{found['system']} stood at {dollars(found['value_micros'])} after entry {found['seq']} "
        f"({found['kind']}), recorded {found['at']}."
    )


@meter.command()
@click.argument("system")
@click.option("--what", help="Only these, for example carried, forfeited or paid.")
@acting
@json_option
def rulings(api: Api, system: str, what: str | None, as_json: bool) -> None:
    """List what people ruled on wagers and prizes of a SYSTEM, by which no money moved."""
    items = api.every(f"/v1/systems/{system}/rulings", **({} if what is None else {"what": what}))
    if as_json:
        print_json(items)
        return
    headings = ("Entry", "When", "What", "About", "Who", "Rule", "Said")
    print_table(f"Rulings of {system}", headings, [_ruling(one) for one in items])


def _ruling(one: dict[str, Any]) -> tuple[str, ...]:
    detail = one["detail"]
    about = detail.get("award") or one["round"] or ", ".join(detail.get("order", ()))
    seats = "".join(f" seat {seat}" for seat in detail.get("seats", ()))
    said = [detail[name] for name in ("case", "reason", "method", "reference") if detail.get(name)]
    people = [one["actor"], one["approver"], one["second"]]
    return (
        str(one["seq"]),
        one["at"],
        one["what"],
        about + seats,
        ", ".join(person for person in people if person),
        one["rule"],
        ", ".join(said),
    )


@meter.command()
@click.argument("round_id", metavar="ROUND")
@acting
@json_option
def statement(api: Api, round_id: str, as_json: bool) -> None:
    """Show how a ROUND was settled, step by step, as it was recorded."""
    found = api.get("/v1/settlements", round=round_id)
    if as_json:
        print_json(found)
        return
    click.echo(
        f"Round {found['round']} at table {found['table']}, entry {found['seq']} of "
        f"{found['system']}\nTime for settlement {found['at']}, recorded by {found['actor']}"
    )
    print_table("Worked statement", ("", "amount", "rule"), _rows(found))


def _rows(found: dict[str, Any]) -> Iterator[Row]:
    worked = found["statement"]
    yield "m, the meter recorded", _amount(worked["meter"]), ""
    yield "j, m up to a whole dollar", _amount(worked["j"]), ""
    yield "r, reseed: seed x cost", _amount(worked["r"]), ""
    yield "R, royal flushes", _right(str(worked["royals"])), ""
    yield "S, straight flushes", _right(str(worked["straight_flushes"])), ""
    yield "prize pool", _amount(worked["pool"]), ""
    for share in worked["shares"]:
        yield f"{share['count']} x {share['hand']}, each", _amount(share["paid"]), share["rule"]
    yield "prizes in all", _amount(worked["paid"]), ""
    yield "meter after payment", _amount(worked["after_payment"]), ""
    if worked["reset"]:
        yield "RESET to", _amount(worked["reset_to"]), worked["reset_rule"]
    yield "METER AFTERWARDS", _amount(worked["after"]), ""
    for seat, paid in found["outcome"]["bonus"]:
        yield f"bonus payout to seat {seat}, not from the meter", _amount(paid), ""


def _amount(micros: int) -> str:
    return _right(dollars(micros))


def _right(text: str) -> str:
    return text.rjust(18)
