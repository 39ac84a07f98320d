"""Makes checkpoints and keeps them outside the database, and finds out a history that was lost.

The database has a checkpoint before the log has it, so a log that knows more than the database is
proof that the database is older than, or other than, what was shown.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

import structlog

from meter_server.contract.checkpoints import (
    Checkpoint,
    Covered,
    Head,
    check_growth,
    checkpoint_digest,
    first_previous,
    open_checkpoint,
    read_checkpoint,
    sign_checkpoint,
)
from meter_server.contract.notes import NotTrusted, Signer
from meter_server.domain.entries import timestamp
from meter_server.recording.ports import Clock
from meter_server.storage import checkpoints
from meter_server.storage.database import Connection, Database
from meter_server.watching import coverage
from meter_server.watching.checkpoint_log import CheckpointLog, HeldLog

_log = structlog.get_logger(__name__)

_PAGE = 500


class HistoryLost(Exception):  # noqa: N818 - told to people, who settle it.
    """The database does not have what was shown; the text says what."""

    def __init__(self, sentence: str, place: int) -> None:
        super().__init__(sentence)
        self.place = place


class Checkpointer:
    def __init__(
        self, database: Database, clock: Clock, signer: Signer, log: CheckpointLog
    ) -> None:
        self._database = database
        self._clock = clock
        self._signer = signer
        self._log = log

    def step(self) -> int | None:
        """Compare, make one if there is anything new, and bring the log up to date.

        The number of the last one. Raises HistoryLost, and then makes none: what is in doubt is
        not signed again.
        """
        with self._holding() as (log, connection):
            shown = log.last()
            if shown is not None:
                _require_kept(connection, shown)
            with connection.transaction():
                self._make(connection)
            return self._copy(connection, log, shown)

    def catch_up(self, last_number: int) -> int | None:
        """Write into the log what other servers have made, up to this number at least."""
        with self._holding() as (log, connection):
            shown = log.last()
            if shown is not None and shown.number >= last_number:
                return shown.number
            return self._copy(connection, log, shown)

    @contextmanager
    def _holding(self) -> Iterator[tuple[HeldLog, Connection]]:
        with self._log.held() as log, self._database.connection() as connection:
            try:
                yield log, connection
            except NotTrusted as error:
                raise HistoryLost(str(error), place=0) from None

    def _make(self, connection: Connection) -> None:
        checkpoints.wait_for_others(connection)
        kept = checkpoints.latest(connection, 1)
        previous = self._opened(kept[0].note) if kept else None
        # Heads first: then every message that made an entry below them is listed by now.
        heads = _signed_form(checkpoints.heads(connection))
        messages = coverage.take_uncovered(connection)
        if not messages and heads == (() if previous is None else previous.heads):
            return
        new = self._next(previous, heads, Covered.of(messages))
        if previous is not None:
            check_growth(previous, new)
        note = sign_checkpoint(new, self._signer)
        checkpoints.add(connection, new.number, datetime.fromisoformat(new.at), note, messages)
        _log.info("a checkpoint is made", number=new.number, meters=len(heads))

    def _next(
        self, previous: Checkpoint | None, heads: tuple[Head, ...], messages: Covered
    ) -> Checkpoint:
        origin, now = self._signer.verifier.name, timestamp(self._clock.now_us())
        return Checkpoint(
            origin=origin,
            number=1 if previous is None else previous.number + 1,
            at=now if previous is None else max(previous.at, now),
            previous=first_previous(origin) if previous is None else checkpoint_digest(previous),
            messages=messages,
            heads=heads,
        )

    def _copy(self, connection: Connection, log: HeldLog, shown: Checkpoint | None) -> int | None:
        """In order, each one only if it follows the one before."""
        while True:
            page = checkpoints.after(connection, 0 if shown is None else shown.number, _PAGE)
            for kept in page:
                following = self._opened(kept.note)
                if shown is not None:
                    check_growth(shown, following)
                shown = following
            log.append(kept.note for kept in page)
            if len(page) < _PAGE:
                return None if shown is None else shown.number

    def _opened(self, note: str) -> Checkpoint:
        return open_checkpoint(note, [self._signer.verifier])


def _require_kept(connection: Connection, shown: Checkpoint) -> None:
    """The database has this very checkpoint and every head that it names."""
    signed = [
        checkpoints.Head(head.meter, head.seq, bytes.fromhex(head.hash)) for head in shown.heads
    ]
    for difference in checkpoints.differences(connection, signed):
        has = "is missing" if difference.is_missing else "is another one"
        raise HistoryLost(
            f"Checkpoint {shown.number} was shown with entry {difference.seq} of the meter "
            f"{difference.meter_id}, which {has} in the database: it was restored from an older "
            "copy, or changed.",
            difference.seq,
        )
    found = checkpoints.after(connection, shown.number - 1, 1)
    if [checkpoint_digest(read_checkpoint(kept.note)) for kept in found] != [
        checkpoint_digest(shown)
    ]:
        raise HistoryLost(
            f"Checkpoint {shown.number} is not in the database as it was shown: it was restored "
            "from an older copy, or changed.",
            shown.number,
        )
    coverage.require_listed(connection, shown)


def _signed_form(heads: Iterable[checkpoints.Head]) -> tuple[Head, ...]:
    return tuple(Head(meter=head.meter_id, seq=head.seq, hash=head.hash.hex()) for head in heads)
