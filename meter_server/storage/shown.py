"""The floor as signs show it: one query, one snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from meter_server.domain.awards import Award
from meter_server.domain.meter import Meter
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table
from meter_server.storage import codec
from meter_server.storage.database import Connection
from meter_server.storage.queries import queries

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MeterRow:
    meter: Meter
    at: datetime
    """When the meter last moved."""


@dataclass(frozen=True, slots=True)
class HitRow:
    award: Award
    table_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FloorRow:
    order: int
    """Higher in a later snapshot, whatever the clocks say."""
    read_at: datetime
    meters: list[MeterRow]
    tables: list[Table]
    open_rounds: Mapping[str, Round]
    notices: list[Notice]
    hits: list[HitRow]


def floor(connection: Connection) -> FloorRow:
    order, read_at, meters, tables, rounds, notices, hits = queries.floor_shown(connection)
    open_rounds = [codec.ROUND.validate_python(body) for body in rounds or []]
    return FloorRow(
        order=order,
        read_at=read_at,
        meters=[_meter(row) for row in meters or []],
        tables=[codec.TABLE.validate_python(body) for body in tables or []],
        open_rounds={round_.id: round_ for round_ in open_rounds},
        notices=[codec.notice_from_json(body) for body in notices or []],
        hits=[_hit(row) for row in hits or []],
    )


def _meter(row: Row) -> MeterRow:
    return MeterRow(codec.METER.validate_python(row["meter"]), datetime.fromisoformat(row["at"]))


def _hit(row: Row) -> HitRow:
    award = codec.AWARD.validate_python(row["award"])
    return HitRow(award, row["table_id"], datetime.fromisoformat(row["at"]))
