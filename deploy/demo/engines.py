"""Both engines together, for whoever needs real ones for a while."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder
from deploy.demo.postgres import Postgres
from deploy.demo.processes import Program, start, stop
from deploy.demo.redis import Redis

START_SECONDS_MAX = 60.0


@contextmanager
def running(folder: DataFolder) -> Iterator[tuple[Postgres, Redis]]:
    """A PostgreSQL and a Redis of one's own, stopped at the end."""
    folder.create()
    postgres, redis = Postgres(folder), Redis(folder)
    with ExitStack() as stack:
        for program in (postgres.prepare(), redis.prepare()):
            process = start(program)
            stack.callback(stop, process, program.stop_signal)
            wait_until_ready(program, process)
        postgres.ensure_database()
        yield postgres, redis


def wait_until_ready(program: Program, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while not program.is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise CannotRunError(why_not_ready(program, process))
        time.sleep(0.02)


def why_not_ready(program: Program, process: subprocess.Popen[bytes]) -> str:
    ended = process.poll()
    what = "took too long to start" if ended is None else f"ended with code {ended} while starting"
    lines = program.log.read_text(errors="replace").strip().splitlines() or ["it wrote no log"]
    return f"{program.name} {what}: {lines[-1]} (all of it: {program.log})"
