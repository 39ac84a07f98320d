"""Signed checkpoints as they are kept in the database, and the heads they speak of."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries

_LOCK = 6_842_031
"""Any number that nothing else locks."""


class Kept(NamedTuple):
    number: int
    at: datetime
    note: str


class Head(NamedTuple):
    """Where a meter's journal ends, or ended."""

    meter_id: str
    seq: int
    hash: bytes


class Message(NamedTuple):
    """A message and its answer, in bytes as they are stored."""

    key: str
    digest: bytes
    at: datetime
    answer: bytes
    request: bytes | None


class Difference(NamedTuple):
    """A head that the journal does not have as it was signed."""

    meter_id: str
    seq: int
    is_missing: bool


def latest(connection: Connection, rows: int) -> list[Kept]:
    """The latest first."""
    return [Kept(*row) for row in queries.latest_checkpoints(connection, page_rows=rows)]


def after(connection: Connection, number: int, rows: int) -> list[Kept]:
    found = queries.checkpoints_after(connection, number=number, page_rows=rows)
    return [Kept(*row) for row in found]


def wait_for_others(connection: Connection) -> None:
    """Inside a transaction: nobody else makes a checkpoint until its end."""
    queries.wait_for_other_checkpoints(connection, lock=_LOCK)


def add(connection: Connection, number: int, at: datetime, note: str, messages: str) -> None:
    queries.add_checkpoint(connection, number=number, at=at, note=note, messages=messages)


def take_uncovered(connection: Connection) -> list[Message]:
    """Messages that no checkpoint lists yet; whoever takes them lists them, or rolls back."""
    return [Message(*row) for row in queries.take_uncovered_messages(connection)]


def listed(connection: Connection, number: int) -> str:
    """The messages of a checkpoint as it lists them; none where it is of version 1 or missing."""
    found: str | None = queries.messages_of_checkpoint(connection, number=number)
    return found or ""


def messages(connection: Connection, keys: Sequence[str]) -> list[Message]:
    return [Message(*row) for row in queries.messages_by_key(connection, keys=list(keys))]


def messages_not_listed(connection: Connection) -> int:
    """How many more messages there are than checkpoints list or have yet to; fewer is below 0."""
    found: int = queries.messages_not_listed(connection)
    return found


def heads(connection: Connection) -> list[Head]:
    """Of all meters at one moment, in the order of their names' bytes."""
    return sorted(Head(*row) for row in queries.journal_heads(connection))


def differences(connection: Connection, signed: Sequence[Head]) -> list[Difference]:
    found = queries.heads_that_differ(
        connection,
        meters=[head.meter_id for head in signed],
        seqs=[head.seq for head in signed],
        hashes=[head.hash for head in signed],
    )
    return [Difference(*row) for row in found]
