"""Signs and boards, the codes they show until they are paired, and proof of what they displayed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from meter_server.domain.notices import Notice
from meter_server.storage import codec
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Screen:
    id: str
    layout: str
    table_id: str | None
    meters: list[str]
    paired_by: str
    paired_at: datetime
    removed_at: datetime | None
    gateway_id: str | None
    seen_at: datetime | None
    """When it last reported, by way of the gateway."""
    showing: Mapping[str, Any] | None
    """What it reported then: ``meters`` with their seq, and ``notices``."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A screen as gateways know it."""

    id: str
    token: bytes
    layout: str
    table_id: str | None
    meters: list[str]


@dataclass(frozen=True, slots=True)
class Display:
    """A stretch of time in which a screen showed a meter or a notice."""

    id: int
    screen_id: str
    table_id: str | None
    kind: str
    subject: str
    from_seq: int | None
    to_seq: int | None
    value_micros: int | None
    from_at: datetime
    to_at: datetime


@dataclass(frozen=True, slots=True)
class OnSign:
    """A notice that stands, and when a table's sign last showed it; None where none ever did."""

    notice: Notice
    table_id: str | None
    last_at: datetime | None


def codes_taken(connection: Connection, codes: Iterable[str], now: datetime) -> dict[str, bytes]:
    return dict(queries.codes_taken(connection, codes=list(codes), now=now))


def offer_pairing(
    connection: Connection, code: str, token: bytes, gateway_id: str, expires_at: datetime
) -> None:
    queries.offer_pairing(
        connection, code=code, token=token, gateway_id=gateway_id, expires_at=expires_at
    )


def forget_pairings(connection: Connection, now: datetime) -> None:
    queries.forget_pairings(connection, now=now)


def use_pairing(connection: Connection, code: str, now: datetime) -> bytes | None:
    """The token of the screen that shows this code; nobody can use the code again."""
    token: bytes | None = queries.use_pairing(connection, code=code, now=now)
    return token


def find(connection: Connection, screen_id: str) -> Screen | None:
    row = queries.find_screen(connection, id=screen_id)
    return Screen(*row) if row and row[6] is None else None


def page(connection: Connection, after: str, rows: int) -> list[Screen]:
    return [Screen(*row) for row in queries.screens_page(connection, after=after, page_rows=rows)]


def roster(connection: Connection) -> list[Paired]:
    return [Paired(*row) for row in queries.roster(connection)]


def tables_of(connection: Connection, names: Iterable[str]) -> dict[str, str | None]:
    """Those of these screens that are there, each with the table whose sign it is."""
    return dict(queries.tables_of_screens(connection, names=list(names)))


def put(
    connection: Connection,
    screen_id: str,
    token: bytes,
    layout: str,
    table_id: str | None,
    meters: list[str],
    *,
    by: str,
    now: datetime,
) -> bool:
    """False where a screen has this name already."""
    put_rows: int = queries.put_screen(
        connection,
        id=screen_id,
        token=token,
        layout=layout,
        table_id=table_id,
        meters=meters,
        paired_by=by,
        now=now,
    )
    return put_rows == 1


def replace(connection: Connection, screen_id: str, token: bytes, by: str, now: datetime) -> None:
    queries.replace_screen(connection, id=screen_id, token=token, paired_by=by, now=now)


def assign(
    connection: Connection, screen_id: str, layout: str, table_id: str | None, meters: list[str]
) -> None:
    queries.assign_screen(connection, id=screen_id, layout=layout, table_id=table_id, meters=meters)


def remove(connection: Connection, screen_id: str, now: datetime) -> None:
    queries.remove_screen(connection, id=screen_id, now=now)


def keep_reports(
    connection: Connection,
    gateway_id: str,
    seen: list[dict[str, Any]],
    displayed: list[dict[str, Any]],
) -> None:
    """Inside a transaction. A screen is named once at most."""
    queries.keep_seen(connection, gateway_id=gateway_id, reports=Jsonb(seen))
    queries.keep_displays(connection, reports=Jsonb(displayed))


def forget_displays(connection: Connection, before: datetime, rows_max: int) -> int:
    """Of meters, as many as that; notices are kept. The database refuses what is too young."""
    forgotten: int = queries.forget_displays(connection, before=before, rows_max=rows_max)
    return forgotten


def displays_page(
    connection: Connection,
    after: int,
    rows: int,
    *,
    screen_id: str | None,
    kind: str | None,
    subject: str | None,
    from_at: datetime | None,
    to_at: datetime | None,
) -> list[Display]:
    found = queries.displays_page(
        connection,
        after=after,
        page_rows=rows,
        screen_id=screen_id,
        kind=kind,
        subject=subject,
        from_at=from_at,
        to_at=to_at,
    )
    return [Display(*row) for row in found]


def notices_on_signs(connection: Connection) -> list[OnSign]:
    return [
        OnSign(codec.notice_from_json(body), table_id, last_at)
        for body, table_id, last_at in queries.notices_on_signs(connection)
    ]


def tables_without_display(connection: Connection, since: datetime) -> frozenset[str]:
    return frozenset(
        table_id for (table_id,) in queries.tables_without_display(connection, since=since)
    )
