"""The processor's time that each program took, as the system counts it."""

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
    below = psutil.Process(bench).children(recursive=True)
    postgres = [process for process in below if process.name() == "postgres"]
    root = psutil.Process(server)
    return Seconds(
        server=sum(map(_seconds, (root, *root.children(recursive=True)))),
        postgres=sum(map(_seconds, postgres)),
    )


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:  # PostgreSQL ends some by itself
        return 0.0
    return float(times.user + times.system)
