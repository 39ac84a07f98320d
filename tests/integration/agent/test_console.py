"""The console's own requests, and the commands of a tablet."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from table_agent.console.app import create_app
from tests.integration.agent.tablet import Tablet
from tests.integration.devices.floor import open_system, open_table
from tests.integration.office import PIN, ROLES, Office

PORT = 8471
HERE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def tablet(office: Office, tmp_path: Path) -> Tablet:
    return Tablet.at_a_table(office, tmp_path / "tablet")


@pytest.fixture
def console(tablet: Tablet) -> FlaskClient:
    return create_app(tablet.parts.agent, PORT).test_client()


def _state(console: FlaskClient) -> dict[str, Any]:
    return dict(console.get("/state", base_url=HERE).get_json())


def _tap(console: FlaskClient, tap: dict[str, Any], **more: Any) -> tuple[int, dict[str, Any]]:
    told = console.post("/taps", json=tap, base_url=HERE, **more)
    return told.status_code, dict(told.get_json())


def test_a_tap_is_answered_with_the_state(console: FlaskClient) -> None:
    state = _state(console)
    assert (state["step"], state["chosen"]) == ("betting", [])
    touched = {"tap": "seat", "seat": 2, "place": state["place"]}
    # Twice, as a finger does that bounces: the seat is as it was meant.
    for lit, chosen in ((True, [2]), (True, [2]), (False, []), (False, [])):
        status, told = _tap(console, {**touched, "lit": lit})
        assert (status, told["state"]["chosen"]) == (200, chosen)


def test_a_declined_tap_says_why_and_who_could(console: FlaskClient) -> None:
    status, told = _tap(console, {"tap": "close-table", "players_present": True})
    assert status == 409
    assert "TG Higher Duties Dealer (or above). [WSOP 14.7]" in told["declined"]
    assert told["needs"] == {
        "key": "higher-duties",
        "title": "TG Higher Duties Dealer",
        "action": "close-table",
    }
    status, told = _tap(console, {"tap": "dance"})
    assert (status, told["needs"]) == (409, None)
    assert told["declined"].startswith("That is no tap")


def test_only_its_own_page_may_tap(console: FlaskClient) -> None:
    tap = {"tap": "sign-off"}
    evil = {"Origin": "https://evil.example"}
    assert console.post("/taps", json=tap, headers=evil, base_url=HERE).status_code == 403
    other = console.post("/taps", json=tap, base_url="http://rebound.example:8471")
    assert other.status_code == 400
    form = console.post("/taps", data={"tap": "sign-off"}, base_url=HERE)
    assert form.status_code == 415


def _command(tablet: Tablet, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "table_agent", "--folder", str(tablet.folder.path)]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120)


def test_the_outbox_is_shown_and_a_table_taken_over(office: Office, tablet: Tablet) -> None:
    tablet.register(1, 4)
    shown = _command(tablet, "outbox").stdout
    assert "accepted  Wagers of seats 1 and 4" in shown
    assert shown.endswith("1 messages, 0 queued.\n")
    [newest, *_] = [
        json.loads(line) for line in _command(tablet, "outbox", "--taps", "2").stdout.splitlines()
    ]
    assert newest["tap"] == "register"

    other = open_table(office)
    open_system(office, [other])
    supervisor = ["--number", ROLES["higher-duties"], "--pin", PIN]
    taken = _command(tablet, "take-over", other, *supervisor)
    assert taken.stdout == f"This tablet stands at table {other} now; fenced: no other tablet.\n"
    assert f"Table {other} is open" in _command(tablet, "status").stdout
    nowhere = _command(tablet, "take-over", "T-nowhere", *supervisor)
    assert (nowhere.returncode, nowhere.stdout) == (1, "")
    assert "There is no table T-nowhere." in nowhere.stderr


def test_a_tablet_with_a_queue_takes_nothing_over(tablet: Tablet) -> None:
    tablet.tap("seat", seat=1, lit=True)
    tablet.tap("register")
    supervisor = ["--number", ROLES["higher-duties"], "--pin", PIN]
    refused = _command(tablet, "take-over", "T1", *supervisor)
    assert "1 messages of this tablet are still queued" in refused.stderr
