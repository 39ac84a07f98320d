"""``meter-server rules``: the tables and the readings in force, each with its rule numbers."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import click

from meter_server.cli import output
from meter_server.cli.rules import (
    floor_tables,
    game_tables,
    option_tables,
    reading_tables,
    split_tables,
)
from meter_server.cli.rules.table import Table
from meter_server.domain.rulebook import VERSION


class Section(NamedTuple):
    """One part of the rulebook, for programs and for people."""

    records: Callable[[], list[dict[str, object]]]
    tables: Callable[[], Iterable[Table]]


SECTIONS = {
    "seeds": Section(option_tables.seed_records, option_tables.seed_tables),
    "payouts": Section(option_tables.payout_records, option_tables.payout_tables),
    "splits": Section(split_tables.split_records, split_tables.split_tables),
    "games": Section(game_tables.game_records, game_tables.game_tables),
    "authority": Section(floor_tables.authority_records, floor_tables.authority_tables),
    "irregularities": Section(floor_tables.irregularity_records, floor_tables.irregularity_tables),
    "readings": Section(reading_tables.reading_records, reading_tables.reading_tables),
}


@click.command()
@click.option("--section", type=click.Choice(list(SECTIONS)), help="Print this part only.")
@output.json_option
def rules(section: str | None, as_json: bool) -> None:
    """Print the tables of the rules, from seeds to irregularities, and the readings in force."""
    chosen = [section] if section else list(SECTIONS)
    if as_json:
        records = {name: SECTIONS[name].records() for name in chosen}
        output.print_json({"rulebook": VERSION, **records})
        return
    tables = [table for name in chosen for table in SECTIONS[name].tables()]
    click.echo(f"Rulebook {VERSION}\n")
    for table in tables:
        output.print_table(table.title, table.headings, table.rows)
        if table.note:
            click.echo(f"{table.note}\n")
