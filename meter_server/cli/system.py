"""``meter-server system``: prize meter systems."""

from typing import Any

import click

from meter_server.cli.cents import Cents
from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.signed_in import acting
from meter_server.domain.money import MICROS_PER_CENT, dollars


@click.group()
def system() -> None:
    """Open prize meter systems and see their meters."""


@system.command("list")
@acting
@json_option
def list_systems(api: Api, as_json: bool) -> None:
    """List the systems and their meters."""
    items = api.every("/v1/systems")
    if as_json:
        print_json(items)
        return
    headings = ("System", "State", "Option", "Seed", "Cost", "Meter", "Tables")
    print_table("Prize meter systems", headings, [_row(one) for one in items])


@system.command("open")
@click.argument("name")
@click.option("--option", type=click.IntRange(1, 2), required=True, help="Option 1 or 2.")
@click.option("--seed", type=int, required=True, help="The initial seed in dollars, as printed.")
@click.option("--cost", type=Cents(), required=True, help="The cost of the Jackpot wager.")
@click.option("--table", "tables", multiple=True, help="A founding table; may be repeated.")
@click.option("--value", type=Cents(), help="An older product's meter value to open at.")
@click.option("--reference", help="Where that value is on record.")
@click.option("--training", is_flag=True, help="For training: separate, and marked everywhere.")
@acting
@json_option
def open_system(
    api: Api,
    *,
    name: str,
    option: int,
    seed: int,
    cost: int,
    tables: tuple[str, ...],
    value: int | None,
    reference: str | None,
    training: bool,
    as_json: bool,
) -> None:
    """Propose to open a system at seed x cost, or higher."""
    body = {
        "system": name,
        "option": option,
        "seed_dollars": seed,
        "cost_cents": cost,
        "tables": list(tables),
        "value_cents": value,
        "reference": reference,
        "training": training,
    }
    tell_proposed(api.post("/v1/systems", body), as_json=as_json)


@system.command()
@click.argument("name")
@click.argument("amount", type=Cents())
@click.option("--reason", required=True, help="Why; it is written into the journal.")
@acting
@json_option
def top_up(api: Api, name: str, amount: int, reason: str, as_json: bool) -> None:
    """Propose to add a voluntary amount of the operator's to a meter."""
    body = {"amount_cents": amount, "reason": reason}
    tell_proposed(api.post(f"/v1/systems/{name}/top-ups", body), as_json=as_json)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["system"] + (" (training)" if one["training"] else ""),
        one["state"],
        str(one["option"]),
        f"{one['seed_dollars']:,}",
        dollars(one["cost_cents"] * MICROS_PER_CENT),
        dollars(one["value_cents"] * MICROS_PER_CENT),
        ", ".join(one["tables"]),
    )
