"""Keeps programs running: starts groups in order, restarts what dies, stops them in reverse."""

import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from deploy.demo import processes
from deploy.demo.errors import CannotRunError
from deploy.demo.processes import Program, Recorded

START_SECONDS_MAX = 60.0
LOOK_SECONDS = 0.05
STEADY_SECONDS = 30.0
RESTART_SECONDS_FIRST = 0.5
RESTART_SECONDS_MAX = 30.0

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):  # noqa: N818 - a wish, not an error
    """Somebody pressed Ctrl-C, sent SIGTERM or closed the window."""


@dataclass
class Kept:
    """A program under our care. ``restart_at`` is set while it is down."""

    program: Program
    process: subprocess.Popen[bytes]
    started_at: float
    group: int
    """Those that were started together are stopped together."""
    restart_seconds: float = RESTART_SECONDS_FIRST
    restart_at: float | None = None


class Supervisor:
    def __init__(self, record: Path, say: Callable[[str], None]) -> None:
        self._record = record
        self._say = say
        self._kept: list[Kept] = []
        self._groups = 0
        self._stop_requested = False

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """Whatever happens inside, nothing we started is running afterwards."""
        try:
            yield
        finally:
            self._stop_all()

    def stop_on_signals(self) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, self._request_stop)

    def start(self, *programs: Program) -> None:
        """Start together, and return when all are ready; one that ends now ends the whole."""
        self._groups += 1
        started = [self._start(program) for program in programs]
        for kept in started:
            deadline = time.monotonic() + START_SECONDS_MAX
            while not kept.program.is_ready():
                if kept.process.poll() is not None or time.monotonic() > deadline:
                    raise CannotRunError(_why_not_ready(kept.program, kept.process))
                self._pause()

    def run_to_end(self, program: Program) -> None:
        kept = self._start(program)
        while (code := kept.process.poll()) is None:
            self._pause()
        self._kept.remove(kept)
        if code != 0:
            raise CannotRunError(_why_not_ready(program, kept.process))

    def watch(self) -> None:
        """Until asked to stop: start again what died, sooner at first and then less often."""
        while True:
            for kept in self._kept:
                if kept.restart_at is not None:
                    self._restart_if_due(kept, kept.restart_at)
                elif kept.process.poll() is not None:
                    self._plan_restart(kept)
            self._pause()

    def _start(self, program: Program) -> Kept:
        kept = Kept(program, processes.start(program), time.monotonic(), self._groups)
        self._kept.append(kept)
        self._write_record()
        return kept

    def _plan_restart(self, kept: Kept) -> None:
        processes.sweep(kept.process.pid)
        now = time.monotonic()
        if now - kept.started_at > STEADY_SECONDS:
            kept.restart_seconds = RESTART_SECONDS_FIRST
        kept.restart_at = now + kept.restart_seconds
        self._say(
            f"{kept.program.name} ended with code {kept.process.returncode}; starting it again "
            f"in {kept.restart_seconds:g} s (its log: {kept.program.log})."
        )
        kept.restart_seconds = min(2 * kept.restart_seconds, RESTART_SECONDS_MAX)

    def _restart_if_due(self, kept: Kept, restart_at: float) -> None:
        if time.monotonic() < restart_at:
            return
        kept.process = processes.start(kept.program)
        kept.started_at = time.monotonic()
        kept.restart_at = None
        self._write_record()

    def _write_record(self) -> None:
        births = [(kept, processes.birth_of(kept.process.pid)) for kept in self._kept]
        processes.record(
            [Recorded(birth, kept.program.stop_signal) for kept, birth in births if birth],
            self._record,
        )

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requested = True

    def _pause(self) -> None:
        if self._stop_requested:
            raise StopRequested
        time.sleep(LOOK_SECONDS)

    def _stop_all(self) -> None:
        """A second Ctrl-C changes nothing: the order and the time-outs are kept."""
        try:
            self._say("Stopping ...")
        finally:  # Also when nobody can be told any more, because the window was closed.
            while self._kept:
                self._stop_group(self._kept[-1].group)
            self._record.unlink(missing_ok=True)
        self._say("Everything has stopped; the data is kept.")

    def _stop_group(self, group: int) -> None:
        together = [kept for kept in self._kept if kept.group == group]
        for kept in together:
            processes.ask_to_stop(kept.process, kept.program.stop_signal)
        for kept in together:
            processes.see_end(kept.process)
            self._kept.remove(kept)


def _why_not_ready(program: Program, process: subprocess.Popen[bytes]) -> str:
    code = process.poll()
    what = "took too long to start" if code is None else f"ended with code {code}"
    return f"{program.name} {what}: {_last_complaint(program.log)} (all of it: {program.log})"


def _last_complaint(log: Path) -> str:
    """The line that says why; the very last one often only says good-bye."""
    lines = log.read_text(errors="replace").strip().splitlines() or ["it wrote no log"]
    complaints = [line for line in lines if re.search("error|fatal|panic", line, re.IGNORECASE)]
    return (complaints or lines)[-1]
