"""Notices and their clocks: which sign shows what since when, and when the change may be made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from meter_server.domain.deciding.changes import tables_of
from meter_server.domain.floor import Draft, Floor
from meter_server.domain.notices import Notice, NoticeState
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.tables import Table
from meter_server.storage import notices
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.rows import Needs


@dataclass(frozen=True, slots=True)
class Sign:
    """A table's sign, as far as one notice goes."""

    table_id: str
    shown_since: datetime | None
    dark_since: datetime | None
    is_draining: bool
    game_open: bool


@dataclass(frozen=True, slots=True)
class NoticeView:
    notice: Notice
    signs: Sequence[Sign]
    ready_at: datetime | None
    """When the change may be made; None while a sign does not show the notice."""
    lapses_at: datetime | None


def page(
    database: Database, readings: Readings, state: NoticeState | None, after: str, rows: int
) -> list[NoticeView]:
    with database.connection() as connection:
        names = notices.names(connection, state, after, rows)
    floor = _floor(database, names)
    return [_view(floor, floor.notices[name], readings) for name in names]


def find(database: Database, readings: Readings, notice_id: str) -> NoticeView | None:
    floor = _floor(database, [notice_id])
    notice = floor.notices.get(notice_id)
    return None if notice is None else _view(floor, notice, readings)


def _floor(database: Database, names: Sequence[str]) -> Floor:
    needs = Needs(notices=frozenset(names), all_systems=True)
    return PostgresFloor(database).load(needs).floor


def _view(floor: Floor, notice: Notice, readings: Readings) -> NoticeView:
    tables = tables_of(Draft(floor), notice.change)
    names = [table.id for table in tables]
    ready_at = lapses_at = None
    if notice.state is NoticeState.DRAFTED and names and not notice.missing(names):
        ready_us = notice.ready_at_us(names, readings)
        ready_at, lapses_at = _instant(ready_us), _instant(ready_us + readings.notice_life_us)
    return NoticeView(notice, [_sign(notice, table) for table in tables], ready_at, lapses_at)


def _sign(notice: Notice, table: Table) -> Sign:
    return Sign(
        table_id=table.id,
        shown_since=_instant(notice.shown_since_us.get(table.id)),
        dark_since=_instant(notice.dark_since_us.get(table.id)),
        is_draining=table.draining_for == notice.id,
        game_open=table.game_open,
    )


def _instant(at_us: int | None) -> datetime | None:
    if at_us is None:
        return None
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at_us)
