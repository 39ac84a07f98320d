"""The commands of the table agent and of the signing key, as a person types them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meter_server.contract.notes import read_verifier_key
from meter_server.contract.signing_keys import new_signing_key, read_signing_key
from tests.integration.devices.floor import (
    DEALER,
    one_time_code,
    open_system,
    open_table,
    unique,
)
from tests.integration.office import COLLEAGUES, PASSWORD, PIN, ROLES, Office
from tests.integration.programs import Environment, run


def _agent(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "table_agent", "--folder", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_table_agent_is_enrolled_asks_and_takes_a_new_key(office: Office, tmp_path: Path) -> None:
    table, device, folder = open_table(office), unique("t"), tmp_path / "agent"
    server = f"http://127.0.0.1:{office.port}"
    code = one_time_code(office, device, table)
    typed = f"{code[:5]}-{code[5:]}".lower()

    enrolled = _agent(folder, "enrol", device, "--server", server, "--code", typed)
    assert enrolled.stdout == f"This is device {device} of table {table}, in epoch 1.\n"
    [key] = folder.glob("*.key")
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700

    told = _agent(folder, "status")
    assert f"Table {table} is open, in no system." in told.stdout, told.stderr
    assert "Failing: nothing.\nMessages recorded: 0, queued: 0." in told.stdout

    assert _agent(folder, "new-key").stdout.startswith("The new key is good until 20")
    [next_key] = folder.glob("*.key")
    assert next_key != key
    assert _agent(folder, "status").returncode == 0


def test_a_round_is_typed_by_hand(office: Office, tmp_path: Path) -> None:
    """Option 1 with a seed of $10,000 adds 34.06%: three wagers of c cents add 10,218 c micros."""
    table, device, folder = open_table(office), unique("t"), tmp_path / "agent"
    system, cost = open_system(office, [table])
    server = f"http://127.0.0.1:{office.port}"
    code = one_time_code(office, device, table)
    assert _agent(folder, "enrol", device, "--server", server, "--code", code).returncode == 0
    dealer = json.dumps({"number": DEALER, "pin": PIN})
    signed_on = _agent(folder, "request", "POST", "/v1/sign-on", dealer)
    assert json.loads(signed_on.stdout)["number"] == DEALER, signed_on.stderr

    round_id = f"{device}/1/1"
    wagers = {"kind": "register-wagers", "round": round_id, "table": table}
    registered = _sent(folder, {**wagers, "seats": [1, 2, 5], "cost_cents": cost})
    [credit] = registered["entries"]
    assert (credit["kind"], credit["meter"], credit["amount"]) == ("credit", system, 10_218 * cost)
    outcome = {"kind": "record-outcome", "round": round_id, "shared_cards": "", "case": None}
    settled = _sent(folder, {**outcome, "hands": []})
    assert [entry["kind"] for entry in settled["entries"]] == ["settlement"]

    again = _agent(folder, "send", "--as", DEALER, json.dumps({**outcome, "hands": []}))
    assert (again.returncode, json.loads(again.stdout)["kind"]) == (1, "round-ended")
    _refused(_agent(folder, "send", "--as", DEALER, "{kind}"), "That is not JSON")
    _refused(_agent(folder, "send", "--as", DEALER, "[]"), "That is no JSON object")
    _refused(_agent(folder, "request", "GET", "/v1/nothing"), "/v1/nothing")


def _sent(folder: Path, command: dict[str, Any]) -> dict[str, Any]:
    sent = _agent(folder, "send", "--as", DEALER, json.dumps(command))
    assert sent.returncode == 0, sent.stderr + sent.stdout
    return dict(json.loads(sent.stdout))


def _refused(ended: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert ended.returncode in (1, 2)
    assert sentence in ended.stderr
    assert ended.stderr.startswith(("table-agent: ", "meter-server: "))
    assert len(ended.stderr.splitlines()) == 1, ended.stderr


def test_what_a_table_agent_cannot_do_is_one_sentence(office: Office, tmp_path: Path) -> None:
    server = f"http://127.0.0.1:{office.port}"
    _refused(_agent(tmp_path, "status"), "This device is not enrolled")
    wrong = _agent(tmp_path, "enrol", "t1", "--server", server, "--code", "AAAA")
    _refused(wrong, "That is not a one-time code of this device that is still open.")
    assert list(tmp_path.glob("*.key")) == []
    unsafe = _agent(tmp_path, "enrol", "t1", "--server", "http://casino.example", "--code", "A")
    _refused(unsafe, "is not safe: use an https address")
    nobody = _agent(tmp_path, "enrol", "t1", "--server", "http://127.0.0.1:1", "--code", "A")
    _refused(nobody, "The server at http://127.0.0.1:1 does not answer")
    _refused(_agent(tmp_path, "enrol"), "Missing argument 'NAME'")


def test_a_key_that_others_can_read_is_not_used(office: Office, tmp_path: Path) -> None:
    device, folder = unique("t"), tmp_path / "agent"
    code = one_time_code(office, device, open_table(office))
    server = f"http://127.0.0.1:{office.port}"
    assert _agent(folder, "enrol", device, "--server", server, "--code", code).returncode == 0
    [key] = folder.glob("*.key")
    key.chmod(0o640)
    _refused(_agent(folder, "status"), f"{key} can be read by others: chmod 600 {key}.")


@pytest.fixture
def settings(database_url: str, redis_url: str) -> Environment:
    return {**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}


def test_a_signing_key_is_made_once_and_for_its_owner(
    settings: Environment, tmp_path: Path
) -> None:
    file = tmp_path / "signing.key"
    created = run(settings, "keys", "create", "casino.example/prize-meter", str(file))
    assert created.returncode == 0, created.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    shown = run(settings, "keys", "show", str(file)).stdout.strip()
    assert read_verifier_key(shown) == read_signing_key(file.read_text()).verifier
    assert shown in created.stdout
    assert file.read_text().strip() not in created.stdout + created.stderr

    again = run(settings, "keys", "create", "casino.example/prize-meter", str(file))
    _refused(again, f"{file} exists already, and a key is never overwritten.")
    _refused(run(settings, "keys", "create", "Casino 1", str(tmp_path / "b")), "cannot name an")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("content", "mode", "sentence"),
    [
        (None, 0o600, "cannot be used: No such file or directory."),
        ("PRIVATE+KEY+a+00000000+AAAA", 0o600, "it is not a signing key as 'meter-server keys"),
        (new_signing_key("casino.example"), 0o644, "can be read by others than its owner"),
    ],
    ids=["missing", "broken", "open to others"],
)
def test_a_server_with_a_bad_key_does_not_start(
    settings: Environment, tmp_path: Path, content: str | None, mode: int, sentence: str
) -> None:
    file = tmp_path / "signing.key"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    ended = run({**settings, "METER_SERVER_SIGNING_KEY_FILE": str(file)}, "serve")
    _refused(ended, sentence)


def test_devices_are_enrolled_seen_and_revoked_by_command(office: Office, tmp_path: Path) -> None:
    table, device = open_table(office), unique("t")
    server = f"http://127.0.0.1:{office.port}"
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    password = tmp_path / "password"
    password.write_text(PASSWORD)

    def type_command(*words: str) -> str:
        ended = run(env, *words)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    for number in (COLLEAGUES["area-manager"], ROLES["area-manager"]):
        type_command("login", number, "--server", server, "--password-file", str(password))
    proposed = type_command("device", "enrol", device, "--table", table)
    proposal = proposed.split()[2].removesuffix(".")
    colleague = ("--as", COLLEAGUES["area-manager"])
    confirmed = type_command("proposal", "confirm", proposal, *colleague)
    code = confirmed.split("Shown only now: code ")[1].strip()
    agent = _agent(tmp_path / "agent", "enrol", device, "--server", server, "--code", code)
    assert agent.returncode == 0, agent.stderr

    revoked = type_command("device", "revoke", device, "--reason", "Left in the bar")
    assert revoked == f"{device} is revoked.\n"
    listed = {one["device"]: one for one in json.loads(type_command("device", "list", "--json"))}
    assert (listed[device]["state"], listed[device]["table"]) == ("revoked", table)
    assert "Left in the bar" in type_command("device", "list")
    _refused(_agent(tmp_path / "agent", "status"), f"The device {device} is revoked (")
