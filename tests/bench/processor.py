"""The processor's time that each program took, as the system counts it."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Seconds:
    """Of the processor, not of a clock on the wall."""

    server: float
    postgres: float

    def since(self, before: "Seconds") -> "Seconds":
        return Seconds(self.server - before.server, self.postgres - before.postgres)


NOTHING = Seconds(0, 0)


def taken(server: int, bench: int) -> Seconds:
    """So far, by a server with its workers and by every process of PostgreSQL below the bench."""
    root = psutil.Process(server)
    below = psutil.Process(bench).children(recursive=True)
    return Seconds(
        server=sum(seconds for _, seconds in _each((root, *root.children(recursive=True)))),
        postgres=sum(seconds for name, seconds in _each(below) if name == "postgres"),
    )


def _each(processes: Iterable[psutil.Process]) -> Iterator[tuple[str, float]]:
    """The name and the seconds of each that is still there: PostgreSQL ends some by itself."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            yield process.name(), float(times.user + times.system)
