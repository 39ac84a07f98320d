"""Which conditions for taking wagers fail at every table, as far as this process knows.

Written by the watch and the writer, read by the door and by whoever shows a table.
"""

from threading import Lock

import structlog

from meter_server.domain.tables import Gate

_log = structlog.get_logger(__name__)


class Gates:
    """What cannot be known yet counts as failing: nobody takes wagers on a guess."""

    def __init__(self, *, displays_confirmed: bool) -> None:
        self._lock = Lock()
        self._dark: frozenset[str] = frozenset()
        self.watches_displays = not displays_confirmed
        self._reasons = {
            Gate.SETTLEMENT_TIMES: "The clock has not been compared with the database's yet.",
            Gate.METER_READING: "The history has not been compared with what was shown yet.",
        }
        if self.watches_displays:
            self._reasons[Gate.DISPLAY] = "Nobody has looked yet which displays report."

    def failing(self) -> frozenset[Gate]:
        with self._lock:
            return frozenset(self._reasons)

    def failing_at(self, table_id: str | None) -> frozenset[Gate]:
        """At one table: its own display too (SGN-1)."""
        dark = {Gate.DISPLAY} if table_id in self._dark else frozenset[Gate]()
        return self.failing() | dark

    def failing_at_the_door(self, table_id: str | None) -> frozenset[Gate]:
        """Whether amounts can be recorded shows in the commit itself, also in that of a refusal."""
        return self.failing_at(table_id) - {Gate.AMOUNTS}

    def darken(self, tables: frozenset[str]) -> None:
        """These and no other tables are without a display that reports."""
        gone, back = tables - self._dark, self._dark - tables
        self._dark = tables
        self.open(Gate.DISPLAY)
        for table in sorted(gone):
            _log.error("no wagers are taken at a table", gate=Gate.DISPLAY.value, table=table)
        for table in sorted(back):
            _log.info("a table's display reports again", table=table)

    def close(self, gate: Gate, reason: str) -> None:
        with self._lock:
            known, self._reasons[gate] = self._reasons.get(gate), reason
        if known != reason:
            _log.error("no wagers are taken", gate=gate.value, reason=reason)

    def open(self, gate: Gate) -> None:
        with self._lock:
            known = self._reasons.pop(gate, None)
        if known is not None:
            _log.info("a condition for taking wagers holds again", gate=gate.value)
