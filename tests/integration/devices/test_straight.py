"""The straight way of an ordinary report: the same answer as the other, and nothing that is not
ordinary."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient
from limits import RateLimitItemPerMinute
from werkzeug.test import TestResponse

from meter_server import bootstrap
from meter_server.contract.notes import read_verifier_key
from meter_server.contract.receipts import open_receipt
from meter_server.contract.signatures import signature_headers
from meter_server.http import messages
from meter_server.http.api import limits
from meter_server.http.api.parts import Parts
from meter_server.http.app import create_app
from meter_server.http.left import KEY, Left
from meter_server.http.straight import Asked, Straight, Told
from meter_server.recording.door import Unavailable
from meter_server.storage.migrate import migrate
from tests.bench.load import drive
from tests.bench.rounds import signed_requests
from tests.integration import inside, programs
from tests.integration.devices.floor import gates
from tests.laying_out import DEALER, EPOCH, Device, lay_out, with_signing_key

PATH = "/v1/messages"


@dataclass
class House:
    database_url: str
    device: Device
    parts: Parts
    other_way: FlaskClient

    def body(self, number: int = 1, *failing: str, **more: Any) -> bytes:
        message = gates(number, self.device.table, *failing, **{"actor": DEALER, **more})
        said = {"device": self.device.id, "epoch": EPOCH, "messages": [message]}
        return json.dumps(said).encode()

    def asked(self, body: bytes, key: Ed25519PrivateKey | None = None) -> Asked:
        signed = signature_headers(key or self.device.key, "POST", PATH, body, datetime.now(UTC))
        headers = {name.lower(): value for name, value in signed.items()}
        headers["content-type"] = "application/json"
        return Asked("POST", PATH, "", headers, body, "127.0.0.1")

    def straight(self, asked: Asked) -> Told | Left:
        return asyncio.run(Straight(self.parts).answer(asked))

    def told(self, asked: Asked) -> dict[str, Any]:
        """The one answer, by the straight way."""
        told = self.straight(asked)
        assert isinstance(told, Told)
        [answer] = json.loads(str(told.body))["answers"]
        return dict(answer)

    def post(self, asked: Asked, left: Left) -> TestResponse:
        """By the other way, to which it was left."""
        return self.other_way.post(
            PATH, data=asked.body, headers=dict(asked.headers), environ_overrides={KEY: left}
        )

    def recorded(self) -> int:
        with psycopg.connect(self.database_url) as connection:
            found = connection.execute("SELECT count(*) FROM message WHERE key LIKE 'device:%'")
            [(messages_kept,)] = found.fetchall()
        return int(messages_kept)


@pytest.fixture
def house(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[House]:
    migrate(database_url, wait_seconds=0)
    [device] = lay_out(database_url, {"M": 1})
    loaded = inside.settings(database_url, redis_url, tmp_path)
    opened = bootstrap.database(loaded)
    opened.open()
    try:
        parts = bootstrap.web_parts(loaded, opened)
        app = create_app(bootstrap.health_check(loaded), "0", parts)
        yield House(database_url, device, parts, app.test_client())
    finally:
        opened.close()


def test_it_is_answered_as_on_the_other_way(house: House) -> None:
    asked = house.asked(house.body())
    answer = house.told(asked)
    again = house.other_way.post(PATH, data=asked.body, headers=dict(asked.headers))

    [repeated] = again.get_json()["answers"]
    assert (answer["number"], answer["answer"]["answer"]) == (1, "accepted")
    assert repeated == answer | {"replayed": True}
    assert house.parts.signer is not None
    receipt = open_receipt(answer["receipt"], [house.parts.signer.verifier])
    assert (receipt.device, receipt.number) == (house.device.id, 1)
    assert house.recorded() == 1


def test_a_repeat_is_told_what_was_told_before(house: House) -> None:
    asked = house.asked(house.body())
    before, after = house.told(asked), house.told(asked)
    assert after == before | {"replayed": True}
    assert house.recorded() == 1


def _text(house: House) -> Asked:
    asked = house.asked(house.body())
    return replace(asked, headers={**asked.headers, "content-type": "text/plain"})


def _unsigned(house: House) -> Asked:
    return replace(house.asked(house.body()), headers={"content-type": "application/json"})


def _twice_named(house: House) -> Asked:
    return house.asked(house.body().replace(b'"epoch": 1', b'"epoch": 1, "epoch": 1'))


NOT_ORDINARY: dict[str, Callable[[House], Asked]] = {
    "a question": lambda house: replace(house.asked(house.body()), method="GET"),
    "another path": lambda house: replace(house.asked(house.body()), path="/v1/heartbeat"),
    "no signature": _unsigned,
    "a key of nobody": lambda house: house.asked(house.body(), Ed25519PrivateKey.generate()),
    "a body that was changed": lambda house: replace(
        house.asked(house.body()), body=house.body(1, "amounts")
    ),
    "a query that was added": lambda house: replace(house.asked(house.body()), query="a=1"),
    "not called JSON": _text,
    "no JSON": lambda house: house.asked(b"{"),
    "a name given twice": _twice_named,
    "a message without its fields": lambda house: house.asked(
        json.dumps({"device": house.device.id, "epoch": EPOCH, "messages": [{}]}).encode()
    ),
    "of another device": lambda house: house.asked(house.body().replace(b'-a"', b'-b"')),
    "with a grant": lambda house: house.asked(house.body(grant="g" * 43)),
    "of somebody else": lambda house: house.asked(house.body(actor="9999")),
    "after a gap": lambda house: house.asked(house.body(2)),
}


@pytest.mark.parametrize("case", NOT_ORDINARY)
def test_what_is_not_ordinary_is_left_to_the_other_way(house: House, case: str) -> None:
    assert isinstance(house.straight(NOT_ORDINARY[case](house)), Left)
    assert house.recorded() == 0


def test_a_device_that_was_let_in_is_kept_out_from_the_next_request_on(house: House) -> None:
    house.told(house.asked(house.body(1)))
    with psycopg.connect(house.database_url) as connection:
        connection.execute("UPDATE device SET state = 'revoked', reason = 'lost'")
    assert isinstance(house.straight(house.asked(house.body(2))), Left)
    assert house.recorded() == 1


def test_another_message_under_its_number_is_left_to_the_other_way(house: House) -> None:
    house.told(house.asked(house.body()))
    assert isinstance(house.straight(house.asked(house.body(1, "amounts"))), Left)
    assert house.recorded() == 1


def test_what_is_left_is_counted_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DEVICE", RateLimitItemPerMinute(2, namespace="device"))
    for number in (1, 2):
        asked = house.asked(house.body(number, actor="9999"))
        left = house.straight(asked)
        assert isinstance(left, Left)
        answered = house.post(asked, left)
        assert (answered.status_code, left.counted) == (200, {"address", "device"})
        assert answered.headers["X-Request-ID"] == left.request_id
    # What the other way counts by itself comes on top, and is one too many.
    answered = house.post(house.asked(house.body(3)), Left())
    assert answered.status_code == 429


def test_whoever_asks_too_often_is_left_to_the_other_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEVICE", RateLimitItemPerMinute(2, namespace="device"))
    told = [house.straight(house.asked(house.body(number))) for number in (1, 2, 3)]
    assert [type(one) for one in told] == [Told, Told, Left]
    assert house.recorded() == 2


def test_what_keeps_one_from_being_recorded_is_told_on_the_other_way(house: House) -> None:
    def full(_: object) -> Any:
        raise Unavailable("Too many wait: send it again.")

    busy = replace(house.parts, send=full)
    asked = house.asked(house.body())
    left = asyncio.run(Straight(busy).answer(asked))
    assert isinstance(left, Left)
    answered = house.post(asked, left)
    assert (answered.status_code, answered.headers["Retry-After"]) == (503, "2")
    assert answered.get_json()["detail"] == "Too many wait: send it again."
    assert house.recorded() == 0


def test_what_breaks_is_left_to_the_other_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(messages, "answers_of", broken)
    assert isinstance(house.straight(house.asked(house.body())), Left)


def test_ordinary_reports_over_a_socket_never_come_to_flask(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    migrate(database_url, wait_seconds=0)
    devices = lay_out(database_url, {"M": 3})
    env, key = with_signing_key(programs.environment(database_url, redis_url), tmp_path)
    port = programs.free_port()
    command = [sys.executable, "-m", "tests.integration.devices.straight_only"]
    with (tmp_path / "server.log").open("wb") as log:
        own = {**env, "METER_SERVER_PORT": str(port)}
        server = subprocess.Popen(command, env=own, stdout=log, stderr=subprocess.STDOUT)
    try:
        programs.wait_until(lambda: programs.get(port, "/").status == 418, 60)
        load = drive(port, [signed_requests(device, 6, 2) for device in devices])
    finally:
        server.terminate()
        server.wait(30)
    answers = [one for body in load.answers for one in json.loads(body)["answers"]]
    assert len(answers) == 3 * 6 * 2
    receipts = [open_receipt(one["receipt"], [read_verifier_key(key)]) for one in answers]
    assert {receipt.device for receipt in receipts} == {device.id for device in devices}
