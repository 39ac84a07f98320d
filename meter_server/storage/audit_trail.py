"""Every action and every refusal, one line each, for ever."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Line:
    at: datetime
    tag: str
    """``source:subject:action``."""
    person: str | None
    device: str | None
    address: str
    request_id: str
    subject: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str | None
    """Why it was refused; None where it was allowed."""


def add(connection: Connection, line: Line) -> None:
    queries.add_to_trail(
        connection,
        at=line.at,
        tag=line.tag,
        person=line.person,
        device=line.device,
        address=line.address,
        request_id=line.request_id,
        subject=line.subject,
        before=None if line.before is None else Jsonb(line.before),
        after=None if line.after is None else Jsonb(line.after),
        reason=line.reason,
    )


def page(connection: Connection, after: int, rows: int) -> list[tuple[int, Line]]:
    found = queries.trail_page(connection, after=after, page_rows=rows)
    return [(line_id, Line(*fields)) for line_id, *fields in found]
