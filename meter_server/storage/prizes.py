"""Prizes as lists, and what the journal has about one."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from meter_server.domain.awards import Award
from meter_server.storage import codec
from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class PrizeRow:
    award: Award
    table_id: str
    training: bool
    at: datetime
    """When its outcome was recorded: the time for settlement."""


@dataclass(frozen=True, slots=True)
class Written:
    """An entry of the journal as it was written."""

    at: datetime
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A settlement with prizes in its place on the meter."""

    round_id: str
    table_id: str
    seq: int
    at: datetime
    agent_at: datetime | None


def page(
    connection: Connection,
    *,
    only: str | None = None,
    state: str | None = None,
    contested: bool | None = None,
    meter_id: str | None = None,
    after: str = "",
    rows: int = 1,
) -> list[PrizeRow]:
    found = queries.prizes_page(
        connection,
        only=only,
        state=state,
        contested=contested,
        meter_id=meter_id,
        after=after,
        page_rows=rows,
    )
    return [
        PrizeRow(codec.AWARD.validate_python(body), table_id, training, at)
        for body, table_id, training, at in found
    ]


def entries_of_round(connection: Connection, round_id: str) -> list[Written]:
    found = queries.entries_of_round(connection, round_id=round_id)
    return [Written(at, json.loads(body)) for at, body in found]


def around(connection: Connection, meter_id: str, seq: int, rows: int) -> list[PlaceRow]:
    found = queries.prizes_around(connection, meter_id=meter_id, seq=seq, page_rows=rows)
    return [PlaceRow(*row) for row in found]
