"""`meter-server serve`, started in a moment, killed, and started again.

A fork server has everything imported already, so that a campaign spends its time on kills and not
on imports; what is forked runs the command itself, with granian and its own worker process.
"""

import ctypes
import http.client
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from meter_server.cli import main
from meter_server.failpoints import VARIABLE, Place

_PR_SET_PDEATHSIG = 1  # from Linux's prctl.h
_START_SECONDS_MAX = 60
_POLL_SECONDS = 0.02

_fork_server = multiprocessing.get_context("forkserver")
_fork_server.set_forkserver_preload(
    ["__main__", "meter_server.cli.serve", "meter_server.http.app", "tests.faults.servers"]
)

Preparation = Callable[[], None]


@dataclass
class Server:
    """One of the servers of the house; it dies, and another takes its port."""

    port: int
    environment: Mapping[str, str]
    folder: Path
    prepare: Preparation | None = None
    """Run in the server before it serves: how a control takes a protection away."""
    _process: ForkServerProcess | None = None
    _deaths_before: int = 0

    @property
    def log(self) -> Path:
        return self.folder / f"server-{self.port}.log"

    def start(self, failpoint: tuple[Place, int] | None = None) -> None:
        """Start it, to die at a failpoint or to live, and wait until it does either."""
        environment = {**self.environment, "METER_SERVER_PORT": str(self.port)}
        if failpoint is not None:
            place, nth = failpoint
            environment[VARIABLE] = f"{place}:{nth}:{self._deaths_file}"
        self._deaths_before = len(self.deaths())
        self._process = self._begun(environment)
        deadline = time.monotonic() + _START_SECONDS_MAX
        while not (self._answers() or self.has_died()):
            if time.monotonic() > deadline:
                raise AssertionError(f"the server does not start: see {self.log}")
            if not self._process.is_alive():  # one that was killed is not all gone: port in use
                self._process = self._begun(environment)
            time.sleep(_POLL_SECONDS)

    def _begun(self, environment: Mapping[str, str]) -> ForkServerProcess:
        process = _fork_server.Process(target=_serve, args=(environment, self.log, self.prepare))
        process.start()
        return process

    def deaths(self) -> list[Place]:
        """Where its processes have killed themselves, as their last words say."""
        try:
            return [Place(line) for line in self._deaths_file.read_text().splitlines()]
        except FileNotFoundError:
            return []

    def has_died(self) -> bool:
        """Whether the process that answers has killed itself since the start."""
        return len(self.deaths()) > self._deaths_before

    def kill(self) -> None:
        """By SIGKILL, with all its processes; nothing is finished and nothing tidied."""
        if self._process is None or self._process.pid is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._process.close()
        self._process = None

    @property
    def _deaths_file(self) -> Path:
        return self.folder / f"deaths-{self.port}"

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz/live")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def _serve(environment: Mapping[str, str], log: Path, prepare: Preparation | None) -> None:
    os.setsid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.clear()
    os.environ.update(environment)
    if prepare is not None:
        prepare()
    multiprocessing.set_start_method("fork", force=True)  # as where nobody has forked before
    sys.argv = ["meter-server", "serve"]
    main()
