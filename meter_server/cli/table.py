"""``meter-server table``: tables defined, opened, closed and set apart."""

from typing import Any

import click

from meter_server.cli.cents import Cents
from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.signed_in import acting
from meter_server.domain.money import MICROS_PER_CENT, dollars
from meter_server.domain.rulebook.games import GAMES, GameKey

_GAMES = click.Choice([game.value for game in GameKey])
_SWITCH = click.Choice(["on", "off"])


@click.group()
def table() -> None:
    """Define, open and close tables."""


@table.command("list")
@acting
@json_option
def list_tables(api: Api, as_json: bool) -> None:
    """List the tables."""
    items = api.every("/v1/tables")
    if as_json:
        print_json(items)
        return
    headings = ("Table", "Game", "Seats", "Bets", "System", "State", "Remarks")
    print_table("Tables", headings, [_row(one) for one in items])


@table.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--game", type=_GAMES, required=True)
@click.option("--seats", type=int, required=True, help="How many places it has.")
@click.option("--minimum", type=Cents(), required=True, help="The least of its bets, as signed.")
@click.option("--maximum", type=Cents(), required=True, help="The most of its bets.")
@click.option("--open", "then_open", is_flag=True, help="Open it too.")
@acting
def define(
    api: Api,
    *,
    names: tuple[str, ...],
    game: str,
    seats: int,
    minimum: int,
    maximum: int,
    then_open: bool,
) -> None:
    """Define tables of one kind."""
    kind = {"game": game, "seats": seats, "minimum_cents": minimum, "maximum_cents": maximum}
    for name in names:
        api.command("/v1/tables", {"table": name, **kind})
        if then_open:
            api.command(f"/v1/tables/{name}/opening")
        click.echo(f"Table {name} is {'open' if then_open else 'defined'}.")


@table.command("open")
@click.argument("name")
@acting
def open_table(api: Api, name: str) -> None:
    """Open a table."""
    api.command(f"/v1/tables/{name}/opening")
    click.echo(f"Table {name} is open.")


@table.command()
@click.argument("name")
@click.option("--no-players", is_flag=True, help="Nobody plays there: close it at once.")
@acting
def close(api: Api, name: str, no_players: bool) -> None:
    """Close a table, after three hands' notice where there are players."""
    api.command(f"/v1/tables/{name}/closing", {"players_present": not no_players})
    click.echo(f"Table {name} is closed." if no_players else f"Table {name} closes in three hands.")


@table.command()
@click.argument("name")
@click.argument("switch", type=_SWITCH)
@acting
def tournament(api: Api, name: str, switch: str) -> None:
    """Set a table apart for a tournament, or end that."""
    api.command(f"/v1/tables/{name}/tournament", {"on": switch == "on"})
    click.echo(f"Tournament mode of table {name} is {switch}.")


@table.command()
@click.argument("name")
@click.option("--minimum", type=Cents(), required=True, help="The least of its bets.")
@click.option("--maximum", type=Cents(), required=True, help="The most of its bets.")
@acting
def limits(api: Api, name: str, minimum: int, maximum: int) -> None:
    """Change a table's limits at once; a higher minimum takes a notice first."""
    body = {"minimum_cents": minimum, "maximum_cents": maximum}
    api.command(f"/v1/tables/{name}/limits", body)
    click.echo(f"Bets at table {name} are {_bets(body)}.")


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    remarks = [name for name in ("training", "tournament", "manual") if one[name]]
    if one["hands_left"] is not None:
        remarks.append(f"closes in {one['hands_left']} hands")
    if one["draining_for"] is not None:
        remarks.append(f"draining for {one['draining_for']}")
    if one["carried"]:
        remarks.append(f"seats {', '.join(map(str, one['carried']))} carried")
    remarks += [f"{gate} failing" for gate in one["failing"]]
    return (
        one["table"],
        GAMES[GameKey(one["game"])].title,
        str(one["seats"]),
        _bets(one),
        one["system"] or "-",
        one["state"],
        ", ".join(remarks),
    )


def _bets(one: dict[str, Any]) -> str:
    """A table that was defined before limits were kept has none."""
    if one["minimum_cents"] is None:
        return "-"
    limits = (one["minimum_cents"], one["maximum_cents"])
    return " to ".join(dollars(cents * MICROS_PER_CENT) for cents in limits)
