"""Devices under races, as the server's own log-in sees them."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.access import devices
from meter_server.access.audit import Origin, Source
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied
from meter_server.contract import signatures
from meter_server.storage.devices import Device, DeviceState, Key
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import House

CONSOLE = Origin(Source.CONSOLE, "127.0.0.8", "request-2")


@pytest.fixture
def house(desk: Desk, database_url: str) -> House:
    house = House.founded(desk)
    house.hire("3001", "area-manager")
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "INSERT INTO gaming_table (id, version, body)"
            ' VALUES (\'T1\', 1, \'{"id": "T1", "game_key": "wsop", "seats": 7}\')'
        )
    return House(desk, {**house.handlers, **devices.handlers(desk)})


def _code(house: House) -> str:
    once = house.confirm(
        house.propose("enrol-device", by="3001", device="t1-a", kind="agent", table="T1")
    ).once
    assert once is not None
    return str(once["code"])


def _enrol(house: House, code: str) -> tuple[Device, Key] | None:
    private = Ed25519PrivateKey.generate()
    public = base64.b64encode(private.public_key().public_bytes_raw()).decode()
    proof = signatures.prove(private, signatures.ENROLMENT, "t1-a", code, public)
    try:
        return devices.enrol(house.desk, CONSOLE, "t1-a", code, public, proof)
    except Denied:
        return None


def _at_once(times: int, action: Any, *arguments: Any) -> list[Any]:
    with ThreadPoolExecutor(times) as pool:
        return [one.result() for one in [pool.submit(action, *arguments) for _ in range(times)]]


def test_of_all_who_use_a_code_at_once_one_is_enrolled(house: House) -> None:
    found = [one for one in _at_once(8, _enrol, house, _code(house)) if one is not None]
    [(device, _)] = found
    assert (device.epoch, device.state) == (1, DeviceState.ENROLLED)
    told = [line for line in house.trail() if line.tag == "console:device:enrol"]
    assert sorted(line.reason is None for line in told) == [False] * 7 + [True]


def test_a_fork_that_is_found_late_does_not_freeze_the_next_epoch(house: House) -> None:
    before = _enrol(house, _code(house))
    after = _enrol(house, _code(house))
    assert before is not None
    assert after is not None
    devices.freeze(house.desk, CONSOLE, before[0], "it sent two messages under one number")
    assert devices.find(house.desk, "t1-a") == after[0]
    devices.freeze(house.desk, CONSOLE, after[0], "it sent two messages under one number")
    assert devices.find(house.desk, "t1-a").state is DeviceState.FROZEN


def test_a_device_that_is_revoked_meanwhile_takes_no_new_key(house: House) -> None:
    enrolled = _enrol(house, _code(house))
    assert enrolled is not None
    device, key = enrolled
    devices.revoke(house.desk, CONSOLE, house.account("3001"), "t1-a", "lost")
    private = Ed25519PrivateKey.generate()
    public = base64.b64encode(private.public_key().public_bytes_raw()).decode()
    proof = signatures.prove(private, signatures.ROTATION, "t1-a", "1", key.id, public)
    with pytest.raises(Denied, match="changed at the same moment"):
        devices.rotate(house.desk, CONSOLE, device, key, public, proof)


def test_a_code_is_kept_as_a_digest_and_only_for_its_ten_minutes(
    house: House, clock: StoppedClock, database_url: str
) -> None:
    code = _code(house)
    with psycopg.connect(database_url) as connection:
        kept = connection.execute("SELECT * FROM enrolment").fetchall()
        trail = connection.execute("SELECT * FROM audit_trail").fetchall()
        proposals = connection.execute("SELECT * FROM proposal").fetchall()
    assert kept
    assert code not in f"{kept} {trail} {proposals}"
    clock.advance(minutes=10)
    assert _enrol(house, code) is None


def test_no_device_without_two_persons(house: House, database_url: str) -> None:
    """The database itself refuses a code that no confirmed proposal stands behind."""
    statement = (
        "INSERT INTO enrolment VALUES ('t1-a', 'agent', 'T1', 'no-proposal',"
        " sha256('x'), now() + interval '10 minutes')"
    )
    with (
        psycopg.connect(database_url) as connection,
        pytest.raises(psycopg.errors.ForeignKeyViolation),
    ):
        connection.execute(statement)
    assert _enrol(house, "x") is None
