"""The table's time."""

import time
from datetime import UTC, datetime, timedelta


class SteadyClock:
    """Read from the wall once and counted on from there: a step of the wall clock, forward or
    back, never enters what is reported."""

    def __init__(self) -> None:
        self._began = datetime.now(UTC)
        self._began_counting = time.monotonic_ns()

    def instant(self) -> str:
        passed = timedelta(microseconds=(time.monotonic_ns() - self._began_counting) // 1000)
        written = (self._began + passed).isoformat(timespec="microseconds")
        return written.replace("+00:00", "Z")

    def seconds(self) -> float:
        return time.monotonic()
