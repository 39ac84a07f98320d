"""``meter-server prize``: royal and straight-flush prizes, from the queue to the payment."""

from fractions import Fraction
from typing import Any

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.signed_in import acting
from meter_server.domain.awards import AwardState
from meter_server.domain.hands import Hand
from meter_server.domain.money import MICROS_PER_CENT, dollars

_STATES = click.Choice([state.value for state in AwardState])


@click.group()
def prize() -> None:
    """See, determine, withhold and pay prizes."""


@prize.command("list")
@click.option("--state", type=_STATES, help="Only those in this state, for example pending.")
@click.option("--contested", is_flag=True, help="Only those whose order is contested.")
@click.option("--system", help="Only those of this system.")
@acting
@json_option
def list_prizes(
    api: Api, state: str | None, contested: bool, system: str | None, as_json: bool
) -> None:
    """List the prizes, oldest first."""
    wanted = {"state": state, "system": system, "contested": "true" if contested else None}
    query = {name: value for name, value in wanted.items() if value is not None}
    items = api.every("/v1/prizes", **query)
    if as_json:
        print_json(items)
        return
    headings = ("Prize", "System", "Table", "Hand", "Amount", "State", "Remarks")
    print_table("Prizes", headings, [_row(one) for one in items])


@prize.command()
@click.argument("name")
@acting
@json_option
def show(api: Api, name: str, as_json: bool) -> None:
    """Show a prize with everything that is needed to decide about it."""
    file = api.get(f"/v1/prizes/{name}")
    if as_json:
        print_json(file)
        return
    _print_file(file)


@prize.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask whether the amount is right.")
@acting
def determine(api: Api, name: str, yes: bool) -> None:
    """Determine a prize: shows it, then asks for your password."""
    file = api.get(f"/v1/prizes/{name}")
    _print_file(file)
    seen = file["prize"]
    amount = dollars(seen["amount_cents"] * MICROS_PER_CENT)
    if not yes:
        click.confirm(f"Determine {name} at {amount}?", abort=True)
    password = click.prompt("Password", hide_input=True)
    api.command(
        f"/v1/prizes/{name}/determination",
        {
            "amount_cents": seen["amount_cents"],
            "meter_seq": seen["meter_seq"],
            "password": password,
        },
    )
    click.echo(f"Prize {name} is determined at {amount} and may be paid.")


@prize.command()
@click.argument("name")
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@acting
def withhold(api: Api, name: str, reason: str) -> None:
    """Withhold a prize until an investigation is done."""
    api.command(f"/v1/prizes/{name}/withholding", {"reason": reason})
    click.echo(f"Prize {name} is withheld.")


@prize.command()
@click.argument("name")
@click.option("--method", required=True, help="How, for example cheque.")
@click.option("--reference", required=True, help="Where the payment is found: the cheque's number.")
@acting
def pay(api: Api, name: str, method: str, reference: str) -> None:
    """Record that a determined prize was paid."""
    api.command(f"/v1/prizes/{name}/payment", {"method": method, "reference": reference})
    click.echo(f"Prize {name} is paid: {method} {reference}.")


@prize.command()
@click.argument("name")
@acting
def winner(api: Api, name: str) -> None:
    """Take down who won; asks for the details, which never enter the journal."""
    details = {
        "name": click.prompt("Name"),
        "identified_by": click.prompt("Identified by"),
        "contact": click.prompt("Contact", default="", show_default=False) or None,
    }
    noted = api.post(f"/v1/prizes/{name}/winner", details)
    click.echo(f"The winner of {name} is taken down; the journal will know {noted['digest']}.")


@prize.command()
@click.argument("rounds", nargs=-1, required=True)
@click.option("--reason", required=True, help="What it was decided by; the journal keeps it.")
@acting
def order(api: Api, rounds: tuple[str, ...], reason: str) -> None:
    """Decide the order of rounds that contest each other, the first recorded first."""
    api.command("/v1/orders", {"rounds": list(rounds), "reason": reason})
    click.echo(f"The order is {', then '.join(rounds)}.")


@prize.command("top-up")
@click.argument("name")
@click.option("--after", "corrected", required=True, help="The round that was corrected.")
@acting
@json_option
def top_up(api: Api, name: str, corrected: str, as_json: bool) -> None:
    """Propose what a corrected settlement would have left for a later prize."""
    body = {"corrected_round": corrected}
    tell_proposed(api.post(f"/v1/prizes/{name}/top-ups", body), as_json=as_json)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    remarks = [caution.replace("-", " ") for caution in one["cautions"]]
    if one["contested_with"]:
        remarks.append(f"order contested with {', '.join(one['contested_with'])}")
    if one["tops_up"]:
        remarks.append(f"tops up {one['tops_up']}")
    remarks += ["training"] if one["training"] else []
    return (
        one["prize"],
        one["system"],
        one["table"],
        Hand(one["hand"]).title,
        dollars(one["amount_cents"] * MICROS_PER_CENT),
        one["state"],
        ", ".join(remarks),
    )


def _print_file(file: dict[str, Any]) -> None:
    seen, statement = file["prize"], file["statement"]
    rows = [
        ("State", seen["state"]),
        ("Amount", dollars(seen["amount_cents"] * MICROS_PER_CENT)),
        ("Hand", f"{Hand(seen['hand']).title}, seat {seen['seat']}"),
        ("Cards", f"{file['own_cards'] or 'not recorded'} with {file['shared_cards'] or 'none'}"),
        ("Recorded", f"{seen['recorded_at']} at {seen['table']} by {seen['recorded_by']}"),
        ("Meter before", dollars(file["meter_before_micros"])),
        ("j, up to a whole dollar", dollars(statement["j"])),
        ("r, seed x cost", dollars(statement["r"])),
        ("R, S", f"{statement['royals']}, {statement['straight_flushes']}"),
        *((f"Each {Hand(one['hand']).title}", _share(one)) for one in statement["shares"]),
        ("Meter after", dollars(file["meter_after_micros"])),
        ("Determined by", seen["determined_by"] or "-"),
        ("Paid", seen["payment"] or "-"),
    ]
    print_table(f"Prize {seen['prize']} of system {seen['system']}", ("", ""), rows)
    for warning in file["warnings"]:
        click.echo(f"WARNING: {warning}")
    _print_order(file)
    chapters = [_chapter(one) for one in file["story"]]
    print_table("What happened to it", ("When", "What", "Who", "Rule", "Reason"), chapters)


def _share(share: dict[str, Any]) -> str:
    parts = {"j": share["of_j"], "r": share["of_r"]}
    worked = " + ".join(f"{part} of {what}" for what, part in parts.items() if Fraction(part))
    return f"{dollars(share['paid'])} ({worked}, {share['rule']})"


def _print_order(file: dict[str, Any]) -> None:
    places = [
        (
            str(one["meter_seq"]),
            one["round"],
            one["table"],
            _instant(one["recorded_at"]),
            _instant(one["table_clock"]),
        )
        for one in file["order"]
    ]
    headings = ("Entry", "Round", "Table", "Recorded", "Table's clock")
    print_table("The order of prizes on the meter", headings, places)
    if file["orders"] is None:
        return
    ways = [
        (heading, " then ".join(order["rounds"]), _amounts(order["amounts_cents"]))
        for heading, order in (
            ("as recorded", file["orders"]["recorded"]),
            ("by the tables' clocks", file["orders"]["by_the_tables_clocks"]),
        )
    ]
    print_table("The order is contested", ("", "Rounds", "Prizes"), ways)


def _instant(text: str | None) -> str:
    """One that a narrow column breaks between the day and the time."""
    return "-" if text is None else text.replace("T", " ")


def _amounts(amounts: dict[str, int]) -> str:
    return ", ".join(
        f"{name} {dollars(cents * MICROS_PER_CENT)}" for name, cents in amounts.items()
    )


def _chapter(one: dict[str, Any]) -> tuple[str, ...]:
    people = [one["by"], *(name for name in (one["approved_by"], one["second"]) if name)]
    return (
        one["at"],
        one["what"] or one["kind"],
        ", ".join(people),
        one["rule"],
        one["reason"] or "",
    )
