"""Who is called to which table, and since when."""

from datetime import datetime
from typing import NamedTuple

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


class Call(NamedTuple):
    id: int
    table_id: str
    role_key: str
    role_title: str
    level: int
    """Of the rank that was called."""
    reason: str
    called_by: str | None
    called_at: datetime
    coming_by: str | None
    coming_name: str | None


def call(
    connection: Connection,
    *,
    table_id: str,
    device_id: str,
    role_key: str,
    reason: str,
    called_by: str | None,
    now: datetime,
) -> Call:
    made: int = queries.call(
        connection,
        table_id=table_id,
        device_id=device_id,
        role_key=role_key,
        reason=reason,
        called_by=called_by,
        now=now,
    )
    return _open(connection, made)[0]


def waiting(connection: Connection) -> list[Call]:
    """Calls to which nobody has come; the longest waiting first."""
    return _open(connection, None)


def find(connection: Connection, call_id: int) -> Call | None:
    """None where it is not open."""
    return next(iter(_open(connection, call_id)), None)


def _open(connection: Connection, only: int | None) -> list[Call]:
    return [Call(*row) for row in queries.open_calls(connection, only=only)]


def come(connection: Connection, call_id: int, *, by: str, now: datetime) -> bool:
    """False where somebody else is coming, or the call is over."""
    changed: int = queries.come_to_call(connection, id=call_id, coming_by=by, now=now)
    return changed == 1


def end(
    connection: Connection,
    call_id: int,
    *,
    table_id: str | None,
    ended_by: str | None,
    now: datetime,
) -> bool:
    """False where no such call is open (at this table, where one is named)."""
    ended: int = queries.end_call(
        connection, id=call_id, table_id=table_id, ended_by=ended_by, now=now
    )
    return ended == 1


def ranks(connection: Connection) -> list[str]:
    return [key for (key,) in queries.ranks(connection)]
