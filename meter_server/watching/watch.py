"""A thread of each server process that looks every few seconds whether wagers may be taken.

It never stands in the way of a request: what it finds is left in the gates.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from socket import gethostname
from threading import Event, Thread
from time import monotonic

import structlog

from meter_server.domain.tables import Gate
from meter_server.storage import check_marks, violations
from meter_server.storage.database import Database
from meter_server.storage.errors import StorageError
from meter_server.storage.violations import Look, Violation, ViolationKind
from meter_server.watching.checkpointer import Checkpointer, HistoryLost
from meter_server.watching.gates import Gates

_log = structlog.get_logger(__name__)

LOOK_SECONDS = 2
CHECKPOINT_SECONDS = 60
"""At least so often under load (docs/protocol.md, 9)."""
CLOCKS_APART_MAX = timedelta(seconds=5)
_FIRST_LOOK_SECONDS = 5


class Watch:
    """What it cannot find out stays as it was; a history that is in doubt stays so."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        gates: Gates,
        checkpointer: Checkpointer | None,
    ) -> None:
        self._database = database
        self._now = now
        self.gates = gates
        self._checkpointer = checkpointer
        self._woken = Event()
        self._has_looked = Event()
        self._checkpoint_due = monotonic()
        self._copied: int | None = None
        self._clock_was_right = False
        self._more: list[Callable[[], None]] = []

    def start(self) -> None:
        """Begin, and wait for the first look, so that the first wager is not refused for it."""
        Thread(target=self._run, name="watch", daemon=True).start()
        self._has_looked.wait(_FIRST_LOOK_SECONDS)

    def also(self, look: Callable[[], None]) -> None:
        """Look at something more each time, from the start on."""
        self._more.append(look)

    @property
    def kept_outside(self) -> int | None:
        """The last checkpoint that this process has seen in the log outside the database."""
        return self._copied

    def make_checkpoint(self) -> None:
        """At once, in the watch's own thread."""
        self._checkpoint_due = monotonic()
        self._woken.set()

    def _run(self) -> None:
        while True:
            self._woken.clear()
            self.look()
            self._has_looked.set()
            self._woken.wait(LOOK_SECONDS)

    def look(self) -> None:
        """Once. Whatever goes wrong is told, and looked at again."""
        try:
            self._look()
        except StorageError as error:
            self.gates.close(Gate.AMOUNTS, str(error))
        except OSError as error:
            _log.error("the log of checkpoints cannot be written", reason=str(error))
        except Exception:  # noqa: BLE001 - a thread that has ended would watch no more
            _log.exception("the watch could not look")

    def _look(self) -> None:
        with self._database.connection() as connection:
            look = violations.look(connection)
            apart = abs(self._now() - look.at)
            if look.is_read_only:
                self.gates.close(Gate.AMOUNTS, "The database takes no changes.")
            elif Gate.AMOUNTS in self.gates.failing():
                check_marks.write(connection, "writing", 0, {})
                self.gates.open(Gate.AMOUNTS)
        for more in self._more:
            more()
        self._judge_clock(apart)
        self._judge_history(look)

    def _judge_clock(self, apart: timedelta) -> None:
        """Our time counts on by itself from the start of the process, so one that was right stays
        right: when the database's steps away later, that is told and stops nobody."""
        if apart <= CLOCKS_APART_MAX:
            self._clock_was_right = True
            self.gates.open(Gate.SETTLEMENT_TIMES)
        elif self._clock_was_right:
            _log.warning("the database's clock has stepped", seconds=apart.total_seconds())
        else:
            self.gates.close(
                Gate.SETTLEMENT_TIMES,
                f"This machine's clock and the database's are {apart.total_seconds():.0f} s apart: "
                "set both right and start the server again.",
            )

    def _judge_history(self, look: Look) -> None:
        if look.history is not None:
            self.gates.close(Gate.METER_READING, look.history)
            return
        try:
            self._keep_checkpoints(look.last_checkpoint)
        except HistoryLost as lost:
            self.gates.close(Gate.METER_READING, str(lost))
            self._record(lost)
        else:
            self.gates.open(Gate.METER_READING)

    def _keep_checkpoints(self, last_number: int | None) -> None:
        if self._checkpointer is None:
            return
        if monotonic() >= self._checkpoint_due:
            self._checkpoint_due = monotonic() + CHECKPOINT_SECONDS
            self._copied = self._checkpointer.step()
        elif last_number is not None and last_number != self._copied:
            self._copied = self._checkpointer.catch_up(last_number)

    def _record(self, lost: HistoryLost) -> None:
        found = Violation(
            ViolationKind.HISTORY, "checkpoint-log", lost.place, str(lost), self._now()
        )
        with self._database.transaction() as connection:
            violations.record(connection, found, address=gethostname(), request_id="watch")
