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
    reason: str
    called_by: str | None
    called_at: datetime


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
    row = queries.call(
        connection,
        table_id=table_id,
        device_id=device_id,
        role_key=role_key,
        reason=reason,
        called_by=called_by,
        now=now,
    )
    return Call(*row)


def waiting(connection: Connection, table_id: str | None = None) -> list[Call]:
    """Calls that nobody has answered, of one table or of all; the longest waiting first."""
    return [Call(*row) for row in queries.open_calls(connection, only=table_id)]


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
