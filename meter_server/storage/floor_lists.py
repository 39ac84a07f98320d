"""The floor as lists: its systems and its tables, as they stand now."""

from dataclasses import dataclass
from datetime import datetime

from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Table
from meter_server.storage import codec
from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class SystemRow:
    id: str
    training: bool
    state: str
    terms: Terms
    value_micros: int
    seq: int
    at: datetime
    """When the meter last moved."""
    tables: list[str]


@dataclass(frozen=True, slots=True)
class TableRow:
    table: Table
    training: bool


def systems(
    connection: Connection, *, after: str = "", only: str | None = None, rows: int = 1
) -> list[SystemRow]:
    found = queries.systems_page(connection, after=after, only=only, page_rows=rows)
    return [
        SystemRow(meter_id, training, state, Terms(option, seed, cost), value, seq, at, tables)
        for meter_id, training, state, option, seed, cost, value, seq, at, tables in found
    ]


def tables(
    connection: Connection, *, after: str = "", only: str | None = None, rows: int = 1
) -> list[TableRow]:
    found = queries.tables_page(connection, after=after, only=only, page_rows=rows)
    return [TableRow(codec.TABLE.validate_python(body), training) for body, training in found]
