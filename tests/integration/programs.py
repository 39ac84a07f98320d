"""Runs the real programs, and asks them over real sockets."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from meter_server.storage.migrate import migrate as apply_migrations

Environment = Mapping[str, str]


class Answer(NamedTuple):
    """What a server said."""

    status: int
    headers: http.client.HTTPMessage
    body: str

    def json(self) -> Any:
        """Read the body."""
        return json.loads(self.body)


def environment(database_url: str, redis_url: str, **more: str) -> Environment:
    """Give a program these engines and nothing of the settings of whoever runs the tests.

    Tables have no signs here, unless a test hangs them up and says so.
    """
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("METER_SERVER_")}
    engines = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
    return inherited | engines | {"METER_SERVER_DISPLAYS_CONFIRMED_BY_HAND": "true"} | more


def run(env: Environment, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``meter-server`` to its end."""
    return subprocess.run(_command(arguments), env=env, capture_output=True, text=True, timeout=60)


def migrate(env: Environment) -> None:
    """Bring the database to the schema of the code under test; here, so that it is quick."""
    apply_migrations(env["DATABASE_URL"], wait_seconds=0)


@contextmanager
def running(env: Environment, log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``meter-server`` meanwhile; at the end it must stop by itself when it is asked to."""
    own = {"METER_SERVER_CHECKPOINT_FOLDER": str(log.with_name("checkpoints")), **env}
    with log.open("ab") as output:
        process = subprocess.Popen(
            _command(arguments), env=own, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        finally:
            process.kill()
            process.wait()


@contextmanager
def serving(env: Environment, log: Path) -> Iterator[int]:
    """Run the web server until the end of the block; gives its port."""
    port = free_port()
    with running({**env, "METER_SERVER_PORT": str(port)}, log, "serve"):
        wait_until(lambda: get(port, "/healthz/live").status == 200, 180)
        yield port


def get(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """Ask a server on this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(
            method, path, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read().decode())
    finally:
        connection.close()


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Look again and again; a connection that is refused is a no."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if condition():
                return
        except ConnectionError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"not so within {seconds} s")


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _command(arguments: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "meter_server", *arguments]
