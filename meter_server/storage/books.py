"""The journal as the check of the books reads it."""

from datetime import datetime
from typing import NamedTuple

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


class Row(NamedTuple):
    """An entry as it is stored: its bytes, and the copies beside them."""

    seq: int
    kind: str
    amount_micros: int
    before_micros: int
    after_micros: int
    epoch: int
    at: datetime
    table_id: str | None
    round_id: str | None
    message: str | None
    body: bytes
    previous: bytes
    hash: bytes


class Head(NamedTuple):
    seq: int
    value_micros: int
    epoch: int
    hash: bytes
    at: datetime


def meters(connection: Connection) -> list[str]:
    return [meter_id for (meter_id,) in queries.books_meters(connection)]


def page(connection: Connection, meter_id: str, after: int, rows: int) -> list[Row]:
    found = queries.books_page(connection, meter=meter_id, after=after, page_rows=rows)
    return [Row(*row) for row in found]


def standing(connection: Connection, meter_id: str) -> tuple[Head, Head | None]:
    """What the meter's row says, and what its last entry says."""
    row = queries.books_standing(connection, meter=meter_id)
    return Head(*row[:5]), None if row[5] is None else Head(*row[5:])
