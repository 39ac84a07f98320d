"""The server's time."""

import time


class SteadyClock:
    """Read from the wall once and counted on from there: a step of the wall clock, forward or
    back, never enters a recorded time."""

    def __init__(self) -> None:
        self._began_us = time.time_ns() // 1000
        self._began_counting_ns = time.monotonic_ns()

    def now_us(self) -> int:
        return self._began_us + (time.monotonic_ns() - self._began_counting_ns) // 1000
