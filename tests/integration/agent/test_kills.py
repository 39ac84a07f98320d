"""The agent's process killed at random moments, against a real server.

A dealer taps rounds as fast as the console answers while somebody pulls the plug. Whatever the
dealer was shown must be in the books once and as it was shown.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from meter_server.contract.device.identity import Folder
from table_agent import running
from tests.counts import FULL, count
from tests.integration.agent.tablet import enrolled
from tests.integration.devices.floor import DEALER, open_system, open_table
from tests.integration.office import PIN, Office
from tests.integration.programs import free_port, wait_until

KILLS = count(reduced=12, full=1_000)
SECONDS_ALIVE_MAX = 1.2


@dataclass
class Dealer:
    """Taps at the console, and remembers what it showed."""

    port: int
    shown: dict[int, str] = field(default_factory=dict)
    """What the console showed as accepted, by number."""
    recorded: dict[int, str] = field(default_factory=dict)
    """What it showed as recorded."""
    taps_done: int = 0
    taps_unknown: int = 0

    def play(self, until: threading.Event) -> None:
        while not until.is_set():
            try:
                self._turn()
            except (OSError, http.client.HTTPException):
                return  # The plug was pulled.

    def _turn(self) -> None:
        state = self._look(self._ask("GET", "/state"))
        match state["step"]:
            case "betting" if state["person"] is None:
                self._tap({"tap": "sign-on", "number": DEALER, "pin": PIN})
            case "betting" if not state["chosen"]:
                self._tap({"tap": "seat", "seat": 3, "lit": True, "place": state["place"]})
            case "betting" if state["register"]["may"]:
                self._act({"tap": "register", "place": state["place"]})
            case "playing":
                self._act({"tap": "no-winners", "place": state["place"]})
            case _:
                time.sleep(0.01)

    def _act(self, tap: dict[str, Any]) -> None:
        try:
            told = self._tap(tap)
        except (OSError, http.client.HTTPException):
            self.taps_unknown += 1
            raise
        if "declined" not in told:
            self.taps_done += 1

    def _tap(self, tap: dict[str, Any]) -> dict[str, Any]:
        told = self._ask("POST", "/taps", tap)
        self._look(told["state"])
        return told

    def _look(self, state: dict[str, Any]) -> dict[str, Any]:
        for line in state.get("recent", ()):
            self.shown[line["number"]] = line["what"]
            if line["answer"] != "queued":
                self.recorded[line["number"]] = line["answer"]
        return state

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, {"Content-Type": "application/json"})
            return dict(json.loads(connection.getresponse().read()))
        except ValueError as error:
            raise http.client.HTTPException from error
        finally:
            connection.close()


class Starter:
    """Where agents come from, one after the other (``starter``)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._pid: int | None = None

    def start(self, folder: Folder, port: int) -> None:
        arguments = ["--folder", str(folder.path), "run", "--port", str(port)]
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(arguments)}\n")
        self._process.stdin.flush()
        self._pid = int(self._read())
        wait_until(lambda: _answers(port), 180)

    def kill(self) -> None:
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)
            self._pid = None
            assert self._read() == "gone"

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Starter]:
    command = [sys.executable, "-m", "tests.integration.agent.starter", str(tmp_path / "agent.log")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        starter = Starter(process)
        yield starter
        starter.kill()


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/state")
        return connection.getresponse().status == 200
    except (http.client.HTTPException, TimeoutError):
        return False
    finally:
        connection.close()


@pytest.mark.timeout(0 if FULL else 900)
def test_what_the_dealer_saw_is_in_the_books_once(
    office: Office,
    starter: Starter,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    table = open_table(office)
    open_system(office, [table])
    folder = enrolled(office, tmp_path / "tablet", table)
    chance = Random(11)  # noqa: S311 - a test
    dealer = Dealer(free_port())
    for _ in range(KILLS):
        starter.start(folder, dealer.port)
        playing = threading.Thread(target=dealer.play, args=[threading.Event()])
        playing.start()
        time.sleep(chance.random() * SECONDS_ALIVE_MAX)
        starter.kill()
        playing.join()
    parts = running.join(folder)
    deadline = time.monotonic() + 120
    while parts.outbox.queued_count() and time.monotonic() < deadline:
        time.sleep(min(parts.sender.step(), 0.2))
    assert dealer.recorded, "the dealer never saw anything recorded"
    _compare(office, dealer, parts, folder)
    record_property("kills of a table's agent, nothing lost or doubled", KILLS)
    record_property("kills of a table's agent: messages", parts.outbox.last_number)
    record_property("kills of a table's agent: shown as recorded, and found", len(dealer.recorded))
    record_property("kills of a table's agent: taps whose answer was cut off", dealer.taps_unknown)


def _compare(office: Office, dealer: Dealer, parts: running.Parts, folder: Folder) -> None:
    identity = folder.identity()
    items = parts.outbox.items()
    assert parts.outbox.queued_count() == 0, parts.sender.status
    numbers = [item.number for item in items]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    with psycopg.connect(office.database_url) as connection:
        rows = connection.execute(
            "SELECT key, convert_from(answer, 'UTF8') FROM message WHERE key LIKE %s",
            [f"device:{identity.device}:{identity.epoch}:%"],
        ).fetchall()
        kinds = connection.execute(
            "SELECT kind, round_id FROM entry WHERE table_id = %s ORDER BY seq", [identity.table]
        ).fetchall()
    books = {int(key.rpartition(":")[2]): json.loads(answer) for key, answer in rows}
    # Nothing lost, nothing doubled: numbers run from one without a gap on both sides.
    assert sorted(books) == list(range(1, parts.outbox.last_number + 1))
    for number, answer in dealer.recorded.items():
        assert books[number]["answer"] == answer, f"message {number} was shown as {answer}"
    assert set(dealer.shown) <= set(books)
    # A tap that was answered made one message; one whose answer was cut off, one or none.
    assert dealer.taps_done <= len(books) <= dealer.taps_done + dealer.taps_unknown
    # Each round has one credit and one settlement, in turn.
    assert len(set(kinds)) == len(kinds)
    assert [kind for kind, _ in kinds] == ["credit", "settlement"] * (len(kinds) // 2) + [
        "credit"
    ] * (len(kinds) % 2)
