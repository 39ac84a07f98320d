"""Single entries of the journal, as they were recorded."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Recorded:
    meter_id: str
    seq: int
    at: datetime
    hash: bytes
    entry: dict[str, Any]
    """By the fields of docs/protocol.md, 5."""


def as_at(connection: Connection, meter_id: str, at: datetime) -> Recorded | None:
    return _recorded(queries.entry_as_at(connection, meter=meter_id, at=at))


def at_seq(connection: Connection, meter_id: str, seq: int) -> Recorded | None:
    return _recorded(queries.entry_at_seq(connection, meter=meter_id, seq=seq))


def settlement(connection: Connection, round_id: str) -> Recorded | None:
    return _recorded(queries.entry_of_settlement(connection, round=round_id))


def rulings(
    connection: Connection, meter_id: str, what: str | None, after: int, rows: int
) -> list[Recorded]:
    """Oldest first."""
    found = queries.rulings_page(connection, meter=meter_id, what=what, after=after, page_rows=rows)
    return [
        Recorded(meter, seq, at, hashed, json.loads(body)) for meter, seq, at, hashed, body in found
    ]


def _recorded(row: tuple[str, int, datetime, bytes, str] | None) -> Recorded | None:
    return None if row is None else Recorded(*row[:4], json.loads(row[4]))
