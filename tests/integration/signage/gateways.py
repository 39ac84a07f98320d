"""A real gateway beside a real server, and a screen that reads its stream."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meter_server.contract.device import enrolment
from meter_server.contract.device.identity import Folder
from tests.integration.devices.floor import one_time_code, unique
from tests.integration.office import Office
from tests.integration.programs import free_port, get, wait_until


@dataclass(frozen=True)
class Event:
    kind: str
    said: dict[str, Any]
    id: str | None

    def value_of(self, meter: str) -> int | None:
        for one in self.said.get("meters", []):
            if one["meter"] == meter:
                return int(one["value_micros"])
        return None


@dataclass
class Gateway:
    port: int
    folder: Path
    process: subprocess.Popen[bytes]
    log: Path

    @contextmanager
    def stream(self, query: str = "", **headers: str) -> Iterator[Iterator[Event]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", f"/v1/stream{query}", headers=sent)
        with closing(connection), connection.getresponse() as response:
            assert response.status == 200
            assert response.headers["Content-Type"].startswith("text/event-stream")
            yield _events(response)


def _events(response: http.client.HTTPResponse) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for raw in response:
        line = raw.decode().rstrip("\n")
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "event" in fields:
            yield Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
            fields = {}


def enrolled(office: Office, folder: Path) -> str:
    """A gateway's key in this folder; gives its name."""
    device = unique("gw")
    code = one_time_code(office, device, None)
    server = f"http://127.0.0.1:{office.port}"
    enrolment.enrol(Folder(folder, "signage"), server, device, code, at_table=False)
    return device


def environment(folder: Path, redis_url: str | None, **more: str) -> dict[str, str]:
    own = {"SIGNAGE_FOLDER": str(folder), "PATH": ""} | more
    return own if redis_url is None else own | {"REDIS_URL": redis_url}


@contextmanager
def running(folder: Path, redis_url: str | None, port: int | None = None) -> Iterator[Gateway]:
    port = port or free_port()
    env = environment(folder, redis_url, SIGNAGE_PORT=str(port))
    log = folder.with_name("gateway.log")
    with started(env, log) as process:
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)
        yield Gateway(port, folder, process, log)


@contextmanager
def started(env: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "signage", "serve"], env=env, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        finally:
            process.kill()
            process.wait()


def signage(
    folder: Path, *arguments: str, typed: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run ``signage`` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "signage", *arguments],
        env=environment(folder, None, **env),
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
    )
