"""The programs' environment, and engines that a test may break."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.demo.accounts import engine_account
from deploy.demo.folder import DataFolder
from deploy.demo.postgres import Postgres
from deploy.demo.processes import Program, start, stop
from deploy.demo.redis import Redis
from tests.integration import programs
from tests.integration.programs import Environment, wait_until


@pytest.fixture
def env(database_url: str, redis_url: str) -> Environment:
    """Settings for a program: this test's database, not migrated yet, and its Redis."""
    return programs.environment(database_url, redis_url)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a program writes; shown by pytest only through the assertion that read it."""
    return tmp_path / "program.log"


@dataclass
class Engine:
    """One engine that can be stopped, frozen and brought back with its data."""

    program: Program
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = start(self.program)
        wait_until(self.program.is_ready, 30)

    def stop(self) -> None:
        """Stop it cleanly."""
        if self.process is not None:
            stop(self.process, self.program.stop_signal)
            self.process = None

    def freeze(self) -> None:
        """Leave its sockets open and answer nothing."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on where it was frozen."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        """The engine itself first: it then begins no more sessions."""
        assert self.process is not None
        engine = self.process.pid
        os.kill(engine, number)
        for pid in map(int, Path(f"/proc/{engine}/task/{engine}/children").read_text().split()):
            with suppress(ProcessLookupError):  # A session may end between the list and its turn.
                os.kill(pid, number)


@dataclass(frozen=True)
class Breakable:
    """A PostgreSQL and a Redis of this test alone."""

    postgres: Engine
    redis: Engine
    env: Environment


@pytest.fixture
def breakable() -> Iterator[Breakable]:
    """Engines of one's own, because breaking the shared ones would break other tests."""
    path = Path(tempfile.mkdtemp(prefix="prize-meter-tests-"))
    path.chmod(0o711)
    folder = DataFolder(path, engine_account())
    folder.create()
    postgres, redis = Postgres(folder), Redis(folder)
    env = programs.environment(postgres.url(), redis.url)
    engines = Breakable(Engine(postgres.prepare()), Engine(redis.prepare()), env)
    try:
        engines.postgres.start()
        engines.redis.start()
        postgres.ensure_database()
        yield engines
    finally:
        engines.redis.stop()
        engines.postgres.stop()
        shutil.rmtree(path)
