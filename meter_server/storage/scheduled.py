"""Changes that are to be made as soon as their notices have stood."""

from dataclasses import dataclass
from datetime import datetime

from psycopg import Connection

from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Scheduled:
    notice_id: str
    by: str
    """The person on whose word it is done."""
    attempts: int
    last_answer: str | None
    attempted_at: datetime | None


def put(connection: Connection, notice_id: str, by: str, now: datetime) -> None:
    queries.schedule_change(connection, notice_id=notice_id, scheduled_by=by, now=now)


def waiting(connection: Connection) -> list[Scheduled]:
    """Those whose notices stand."""
    return [Scheduled(*row) for row in queries.scheduled_changes(connection)]


def attempted(
    connection: Connection, notice_id: str, attempts: int, answer: str, now: datetime
) -> None:
    queries.attempted_change(
        connection, notice_id=notice_id, attempts=attempts, last_answer=answer, now=now
    )


def state_of_notice(connection: Connection, notice_id: str) -> str | None:
    state: str | None = queries.state_of_notice(connection, notice_id=notice_id)
    return state
