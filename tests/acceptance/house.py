"""`make run` in a clone, driven from outside the way a person and a kernel would."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

import psycopg

from deploy.demo.folder import DataFolder
from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.integration.programs import free_port

RUNNING = "Prize Meter is running."
NOT_OURS_TO_PASS_ON = (
    *(
        "XDG_",
        "METER_SERVER_",
        "SIGNAGE_",
        "PRIZE_METER_",
        "MAKE",
        "MFLAGS",
        "PYTHON",
        "PYTEST",
        "VIRTUAL_ENV",
    ),
)


@dataclass(frozen=True)
class Person:
    """Who types the commands, and where this person's home is."""

    name: str
    uid: int
    gid: int
    home: Path


@dataclass(frozen=True)
class House:
    """One clone, one person, one data folder."""

    clone: Path
    person: Person
    python: str
    path: str
    port: int = field(default_factory=free_port)
    worker_port: int = field(default_factory=free_port)
    signage_port: int = field(default_factory=free_port)
    guide_port: int = field(default_factory=free_port)
    console_port: int = field(default_factory=free_port)
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.person.home / "data" / "prize-meter"

    @property
    def postgres(self) -> Postgres:
        return Postgres(DataFolder(self.data, None))

    @property
    def redis_url(self) -> str:
        folder = DataFolder(self.data, None)
        settings = (self.data / "redis" / "redis.conf").read_text().splitlines()
        return Redis(folder, int(dict(line.split(maxsplit=1) for line in settings)["port"])).url

    def environment(self) -> dict[str, str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(NOT_OURS_TO_PASS_ON)
        }
        return inherited | {
            "PATH": self.path,
            "HOME": str(self.person.home),
            "XDG_DATA_HOME": str(self.person.home / "data"),
            "METER_SERVER_PORT": str(self.port),
            "METER_SERVER_WORKER_METRICS_PORT": str(self.worker_port),
            "SIGNAGE_PORT": str(self.signage_port),
            "PRIZE_METER_PORT": str(self.guide_port),
            "PRIZE_METER_CONSOLE_PORT": str(self.console_port),
            "PYTHON": self.python,
            **self.extra,
        }

    def make(self, *arguments: str) -> "Run":
        output = self.person.home / f"output-{uuid4().hex}"
        began = time.monotonic()
        with output.open("wb") as file:
            process = subprocess.Popen(
                ["make", *arguments],
                cwd=self.clone,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.person.uid,
                group=self.person.gid,
                extra_groups=[],
            )
        return Run(self, process, output, began)

    def refused(self, *arguments: str) -> str:
        """The sentence of a run that must not come up."""
        run = self.make(*(arguments or ("run",)))
        code = run.process.wait(60)
        text = run.output.read_text()
        assert code != 0, text
        assert "Traceback" not in text
        assert RUNNING not in text
        return text

    def strays(self) -> list[str]:
        """Every process that was started by a run of this house, or works in its data."""
        return [
            f"{entry.name} {described}"
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and (described := self._describe_if_ours(entry))
        ]

    def _describe_if_ours(self, process: Path) -> str | None:
        try:
            inherited = (process / "environ").read_bytes().split(b"\0")
            works_in = (process / "cwd").readlink()
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            return None  # Gone meanwhile, or somebody else's.
        # PostgreSQL writes over the environment it was given, but works in its data folder.
        ours = f"XDG_DATA_HOME={self.data.parent}".encode() in inherited
        return command if ours or works_in.is_relative_to(self.data) else None

    def require_no_strays(self, within_seconds: float) -> None:
        deadline = time.monotonic() + within_seconds
        while strays := self.strays():
            assert time.monotonic() < deadline, strays
            time.sleep(0.05)

    def write_row(self, text: str) -> None:
        with psycopg.connect(self.postgres.url()) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (text text)")
            connection.execute("INSERT INTO kept VALUES (%s)", (text,))

    def has_row(self, text: str) -> bool:
        with psycopg.connect(self.postgres.url()) as connection:
            if connection.execute("SELECT to_regclass('kept')").fetchone() == (None,):
                return False
            found = connection.execute("SELECT 1 FROM kept WHERE text = %s", (text,))
            return found.fetchone() is not None

    def is_ready(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


@dataclass(frozen=True)
class Run:
    house: House
    process: subprocess.Popen[bytes]
    output: Path
    began: float

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        """A failed test leaves nothing running either."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        self.house.require_no_strays(30)

    def wait_until_running(self, within_seconds: float = 60) -> None:
        deadline = time.monotonic() + within_seconds
        while RUNNING not in self.output.read_text():
            assert self.process.poll() is None, self.everything_said()
            assert time.monotonic() < deadline, self.everything_said()
            time.sleep(0.02)

    def everything_said(self) -> str:
        logs = sorted((self.house.data / "logs").glob("*.log"))
        return "\n".join(f"== {file}\n{file.read_text()}" for file in (self.output, *logs))

    @property
    def supervisor(self) -> int:
        return int((self.house.data / "lock").read_text())

    def press_ctrl_c(self) -> None:
        """A terminal sends it to make and to everything else in its foreground."""
        os.killpg(self.process.pid, signal.SIGINT)


@dataclass
class Kept:
    """A house that several tests share, so that not each of them waits for a start."""

    house: House
    run: Run | None = None

    def running(self) -> Run:
        """As the test before left it, or started now."""
        if self.run is None or self.run.process.poll() is not None or not self.house.is_ready():
            self.stop()
            self.start()
        assert self.run is not None
        return self.run

    def start(self, *options: str) -> Run:
        if self.run is not None:
            self.run.process.wait(30)  # It was ended by force.
        self.run = self.house.make("run", *options)
        self.run.wait_until_running()
        return self.run

    def stop(self) -> None:
        if self.run is not None:
            self.run.__exit__()
            self.run = None
