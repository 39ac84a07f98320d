"""What the server found wrong with its own books: kept until somebody has settled it."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from meter_server.storage import audit_trail
from meter_server.storage.audit_trail import Line
from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


class ViolationKind(StrEnum):
    SEQUENCE = "sequence"
    """An entry is missing, or stands in another's place."""
    CHAIN = "chain"
    """Stored bytes do not give the stored hash, or do not follow the entry before."""
    BALANCE = "balance"
    """Before, amount, after and lines do not add up."""
    COPY = "copy"
    """A column beside the bytes says something else than they do."""
    FLOOR = "floor"
    """A meter stood lower than it must (WSOP 9.3; Three Card 6.3)."""
    METER = "meter"
    """The meter's row is not its last entry."""
    CHECKPOINT = "checkpoint"
    """Journal or messages are not what a checkpoint says, or it does not follow the one before."""
    HISTORY = "history"
    """The database is older than, or other than, what was shown outside of it: no more wagers."""


class Violation(NamedTuple):
    kind: ViolationKind
    subject: str
    """The meter, or who showed it."""
    place: int
    """At which entry, checkpoint or message."""
    sentence: str
    found_at: datetime


class Look(NamedTuple):
    """How the database stands, as a server process asks every few seconds."""

    at: datetime
    is_read_only: bool
    last_checkpoint: int | None
    history: str | None
    """Why history is in doubt."""


def record(connection: Connection, violation: Violation, *, address: str, request_id: str) -> bool:
    """Inside a transaction: kept with its line in the trail; False where it is known already."""
    added: int = queries.add_violation(
        connection,
        kind=violation.kind,
        subject=violation.subject,
        place=violation.place,
        sentence=violation.sentence,
        now=violation.found_at,
    )
    if added:
        line = Line(
            at=violation.found_at,
            tag=f"machine:books:{violation.kind}",
            person=None,
            device=None,
            address=address,
            request_id=request_id,
            subject=violation.subject,
            before=None,
            after=None,
            reason=violation.sentence,
        )
        audit_trail.add(connection, line)
    return bool(added)


def open_ones(connection: Connection, rows: int) -> list[Violation]:
    found = queries.open_violations(connection, page_rows=rows)
    return [Violation(ViolationKind(kind), *rest) for kind, *rest in found]


def look(connection: Connection) -> Look:
    return Look(*queries.look_at_the_database(connection, closing=ViolationKind.HISTORY))
