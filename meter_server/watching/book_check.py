"""Checks the books again while they are written: new entries every minute, all of them at night.

It reads, and writes down what it finds; it never puts anything right. Whoever is killed midway
leaves a mark from which the next one goes on, and finding a thing twice is finding it once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from socket import gethostname

import structlog

from meter_server.contract.checkpoints import (
    Checkpoint,
    check_growth,
    open_checkpoint,
    read_checkpoint,
)
from meter_server.contract.notes import NotTrusted, VerifierKey
from meter_server.storage import books as stored
from meter_server.storage import check_marks, checkpoints, violations
from meter_server.storage.database import Connection, Database
from meter_server.storage.violations import Violation, ViolationKind
from meter_server.watching import books, coverage
from meter_server.watching.books import Fault, Place

_log = structlog.get_logger(__name__)

PAGE = 1_000
FAULTS_MAX = 50
"""Of one meter in one run: somebody who changed everything fills no table."""
_LOCK = 6_842_032
"""Any number that nothing else locks."""
_CHECKPOINTS = "checkpoints"
_MESSAGES = "messages"


@dataclass(frozen=True)
class BookCheck:
    database: Database
    now: Callable[[], datetime]
    keys: Sequence[VerifierKey]
    """Of the installation; without one, signatures of checkpoints are not looked at."""

    def check_new(self) -> None:
        """From the marks on."""
        self._check(from_the_beginning=False)

    def check_all(self) -> None:
        """Everything, whatever was checked before."""
        self._check(from_the_beginning=True)

    def _check(self, *, from_the_beginning: bool) -> None:
        with (
            self.database.connection() as connection,
            check_marks.alone(connection, _LOCK) as is_ours,
        ):
            if not is_ours:
                _log.info("somebody else is checking the books")
                return
            for meter_id in stored.meters(connection):
                self._check_meter(connection, meter_id, from_the_beginning)
            self._check_checkpoints(connection, from_the_beginning)
            if from_the_beginning:
                self._count_messages(connection)

    def _check_meter(self, connection: Connection, meter_id: str, all_of_it: bool) -> None:
        place = Place.before(meter_id)
        faults: list[Fault] = []
        if not all_of_it:
            place, faults = _where_we_were(connection, meter_id)
        while True:
            rows = stored.page(connection, meter_id, place.seq, PAGE)
            for row in rows:
                place, found = books.follow(meter_id, place, row)
                faults += found
            is_last = len(rows) < PAGE
            if is_last:
                faults += books.end_of_message(place)
                faults += books.differences(*stored.standing(connection, meter_id))
            with connection.transaction():
                self._record(connection, meter_id, faults[:FAULTS_MAX])
                check_marks.write(connection, _mark(meter_id), place.seq, place.to_json())
            if is_last or len(faults) >= FAULTS_MAX:
                return
            faults = []

    def _check_checkpoints(self, connection: Connection, all_of_them: bool) -> None:
        mark = None if all_of_them else check_marks.find(connection, _CHECKPOINTS)
        number, before = 0, None
        if mark is not None:
            number = mark[0]
            kept = checkpoints.after(connection, number - 1, 1)
            before = read_checkpoint(kept[0].note) if kept else None
        while page := checkpoints.after(connection, number, PAGE):
            faults: list[Fault] = []
            for kept_one in page:
                number += 1
                try:
                    before = self._follow(connection, before, kept_one)
                except NotTrusted as error:
                    faults.append(Fault(ViolationKind.CHECKPOINT, number, str(error)))
                    before = _readable(kept_one.note)
                number = kept_one.number
            with connection.transaction():
                self._record(connection, _CHECKPOINTS, faults[:FAULTS_MAX])
                check_marks.write(connection, _CHECKPOINTS, number, {})

    def _follow(
        self, connection: Connection, before: Checkpoint | None, kept: checkpoints.Kept
    ) -> Checkpoint:
        """NotTrusted says what is wrong with it."""
        opened = open_checkpoint(kept.note, self.keys) if self.keys else read_checkpoint(kept.note)
        expected = 1 if before is None else before.number + 1
        if (kept.number, opened.number) != (expected, expected):
            raise NotTrusted(f"Checkpoint {expected} is missing, or not in its place.")
        if before is not None:
            check_growth(before, opened)
        heads = [checkpoints.Head(h.meter, h.seq, bytes.fromhex(h.hash)) for h in opened.heads]
        for difference in checkpoints.differences(connection, heads):
            raise NotTrusted(
                f"Checkpoint {opened.number} has another hash for entry {difference.seq} of the "
                f"meter {difference.meter_id} than the journal."
            )
        coverage.require_covered(connection, opened)
        return opened

    def _count_messages(self, connection: Connection) -> None:
        """Those that are in no list and wait for none were put in by somebody else."""
        more = checkpoints.messages_not_listed(connection)
        if more:
            sentence = f"Of the messages {abs(more)} are {'in no list' if more > 0 else 'missing'}."
            with connection.transaction():
                self._record(connection, _MESSAGES, [Fault(ViolationKind.CHECKPOINT, 0, sentence)])

    def _record(self, connection: Connection, subject: str, faults: Iterable[Fault]) -> None:
        for fault in faults:
            found = Violation(fault.kind, subject, fault.seq, fault.sentence, self.now())
            is_new = violations.record(
                connection, found, address=gethostname(), request_id="book-check"
            )
            if is_new:
                _log.error(
                    "the books are not as they should be",
                    kind=fault.kind.value,
                    subject=subject,
                    place=fault.seq,
                    sentence=fault.sentence,
                )


def _readable(note: str) -> Checkpoint | None:
    try:
        return read_checkpoint(note)
    except NotTrusted:
        return None


def _mark(meter_id: str) -> str:
    return f"meter {meter_id}"


def _where_we_were(connection: Connection, meter_id: str) -> tuple[Place, list[Fault]]:
    """The entry that was checked last must still be there as it was."""
    mark = check_marks.find(connection, _mark(meter_id))
    if mark is None:
        return Place.before(meter_id), []
    place = Place(**mark[1])
    found = stored.page(connection, meter_id, place.seq - 1, 1)
    if found and found[0].seq == place.seq and found[0].hash.hex() == place.hash:
        return place, []
    sentence = "It was checked, and is gone or another one now."
    return place, [Fault(ViolationKind.CHAIN, place.seq, sentence)]
