"""The console's own requests, and the commands of a tablet."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from meter_server.contract.canonical import canonical_json
from table_agent.console.app import create_app
from table_agent.disk import SqliteDisk
from table_agent.running import OUTBOX
from tests.integration.agent.tablet import Tablet
from tests.integration.devices.floor import DEALER, gates, message, open_system, open_table
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


def _wagers(tablet: Tablet, named: str, *seats: int) -> dict[str, Any]:
    return {
        "kind": "register-wagers",
        "round": named,
        "table": tablet.folder.identity().table,
        "seats": list(seats),
        "cost_cents": tablet.cost_cents,
    }


def _send(tablet: Tablet, command: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return _command(tablet, "send", "--as", DEALER, json.dumps(command))


def test_a_mistyped_round_stands_in_nobodys_way(tablet: Tablet) -> None:
    began = f"{tablet.folder.identity().device}/1/"
    mistyped = _send(tablet, _wagers(tablet, "t9-a/1/1", 1, 2))
    assert (mistyped.returncode, mistyped.stdout) == (1, "")
    assert mistyped.stderr == (
        f"table-agent: A round that begins here is named {began} and a number, such as {began}1: "
        "name it so and send it again.\n"
    )
    sent = _send(tablet, _wagers(tablet, f"{began}1", 1, 2))
    assert (sent.returncode, json.loads(sent.stdout)["answer"]) == (0, "accepted"), sent.stderr
    assert _command(tablet, "outbox").stdout.endswith("1 messages, 0 queued.\n")


def test_of_a_queue_that_cannot_be_read_the_first_that_spoils_it_is_told(tablet: Tablet) -> None:
    """The release before queued what only the server could know to be unreadable."""
    table = tablet.folder.identity().table
    foreign = _wagers(tablet, "t9-a/1/2", 1, 2)
    _queued_before(tablet, gates(1, table), message(2, **foreign), gates(3, table))
    told = _send(tablet, {"kind": "report-gates", "table": table, "failing": []})
    assert (told.returncode, told.stdout) == (1, "")
    device = tablet.folder.identity().device
    assert told.stderr == (
        "table-agent: Message 4 stays queued. The server cannot read message 2 and records nothing "
        f"behind it: A round that begins here is named {device}/1/ and a number. Have this tablet "
        "enrolled again.\n"
    )
    assert _command(tablet, "outbox").stdout.endswith("4 messages, 3 queued.\n")


def _queued_before(tablet: Tablet, *messages: dict[str, Any]) -> None:
    identity, disk = tablet.folder.identity(), SqliteDisk(tablet.folder.path / OUTBOX)
    for one in messages:
        disk.rows(
            "INSERT INTO message (device, epoch, number, body) VALUES (?, ?, ?, ?)",
            identity.device,
            identity.epoch,
            one["number"],
            canonical_json(one).decode("ascii"),
        )
    disk.close()


def test_what_the_rules_refused_is_shown_as_it_was_typed(tablet: Tablet) -> None:
    identity = tablet.folder.identity()
    nobody = _send(tablet, _wagers(tablet, f"{identity.device}/1/1"))
    assert (nobody.returncode, json.loads(nobody.stdout)["kind"]) == (1, "no-seats")
    declared = {"kind": "declare-irregularity", "table": identity.table, "case": "fire-alarm"}
    unknown = _send(tablet, {**declared, "seats": [], "joining": [], "reason": ""})
    assert (unknown.returncode, json.loads(unknown.stdout)["kind"]) == (1, "case-not-provided")

    shown = _command(tablet, "outbox").stdout
    assert "refused   Wagers of no seat No seat is named." in shown
    assert "refused   Case fire-alarm The WSOP" in shown
    newest, oldest = json.loads(_command(tablet, "outbox", "--json").stdout)["recent"]
    assert (newest["what"], oldest["what"]) == ("Case fire-alarm", "Wagers of no seat")
    assert [line["what"] for line in tablet.state["recent"]] == [newest["what"], oldest["what"]]
