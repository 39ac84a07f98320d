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


def add(connection: Connection, number: int, at: datetime, note: str) -> None:
    queries.add_checkpoint(connection, number=number, at=at, note=note)


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
