"""What a console waits for: a supervisor's word from a device of their own."""

from datetime import datetime
from typing import NamedTuple

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


class Approval(NamedTuple):
    id: int
    device_id: str
    table_id: str
    action: str
    role_key: str
    role_title: str
    level: int
    """Of the rank that it takes."""
    asked_by: str | None
    asked_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    ended_by: str | None
    grant_id: str | None


def ask(
    connection: Connection,
    *,
    device_id: str,
    table_id: str,
    action: str,
    role_key: str,
    asked_by: str | None,
    now: datetime,
    expires_at: datetime,
) -> int:
    """Whatever this console asked before is not waited for any more."""
    queries.forget_approvals(connection, device_id=device_id, now=now)
    asked: int = queries.ask_approval(
        connection,
        device_id=device_id,
        table_id=table_id,
        action=action,
        role_key=role_key,
        asked_by=asked_by,
        now=now,
        expires_at=expires_at,
    )
    return asked


def locked(connection: Connection, approval_id: int) -> Approval | None:
    """Nobody else ends it until this transaction does."""
    row = queries.approval(connection, id=approval_id)
    return None if row is None else Approval(*row)


def waiting(connection: Connection, now: datetime) -> list[Approval]:
    return [Approval(*row) for row in queries.waiting_approvals(connection, now=now)]


def end(
    connection: Connection,
    approval_id: int,
    *,
    by: str | None,
    grant_id: str | None,
    now: datetime,
) -> None:
    queries.end_approval(connection, id=approval_id, ended_by=by, grant_id=grant_id, now=now)
