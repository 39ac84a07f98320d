"""Heartbeats: a device is alive, and its last receipt shows a server that lost its history."""

from pathlib import Path

import psycopg
import pytest

from meter_server.contract.device.errors import Refused
from tests.integration.devices.floor import Agent, gates, open_system, open_table, unique
from tests.integration.office import Office


@pytest.fixture
def agent(office: Office, tmp_path: Path) -> Agent:
    table = open_table(office)
    open_system(office, [table])
    agent = Agent.enrolled(office, tmp_path / "agent", unique("t"), table)
    agent.sign_on()
    return agent


def _beat(agent: Agent, receipt: str | None) -> int:
    return int(agent.link.post("/v1/device/heartbeat", {"receipt": receipt})["last_number"])


def test_a_heartbeat_is_kept_and_says_what_is_recorded(office: Office, agent: Agent) -> None:
    assert _beat(agent, None) == 0
    [answered] = agent.link.send([gates(1, agent.identity.table)])
    assert _beat(agent, answered.note) == 1
    with psycopg.connect(office.database_url) as connection:
        [(age,)] = connection.execute(
            "SELECT extract(epoch FROM now() - at) FROM device_heartbeat WHERE device_id = %s",
            (agent.identity.device,),
        ).fetchall()
    assert -60 < age < 60


def test_a_server_that_is_older_than_a_receipt_is_found_out(office: Office, agent: Agent) -> None:
    """As after a restore from a copy that was made before the message came."""
    [first, second] = agent.link.send([gates(n, agent.identity.table) for n in (1, 2)])
    key = f"device:{agent.identity.device}:1:2"
    with psycopg.connect(office.database_url) as connection:
        connection.execute("ALTER TABLE message DISABLE TRIGGER message_is_for_ever")
        connection.execute("DELETE FROM message WHERE key = %s", (key,))
        connection.execute("ALTER TABLE message ENABLE TRIGGER message_is_for_ever")
    assert _beat(agent, first.note) == 2
    with pytest.raises(Refused, match="restored from an old copy") as refused:
        _beat(agent, second.note)
    assert (refused.value.status, refused.value.problem["kind"]) == (409, "history-lost")
    with psycopg.connect(office.database_url) as connection:
        alarms = connection.execute(
            "SELECT allowed FROM audit_trail WHERE tag = 'console:receipt:compare' AND device = %s",
            (agent.identity.device,),
        ).fetchall()
    assert alarms == [(False,)]


def test_a_meter_that_stands_elsewhere_is_found_out(office: Office, agent: Agent) -> None:
    """As after a chain that was computed anew."""
    [answered] = agent.link.send([gates(1, agent.identity.table)])
    assert answered.receipt.meter_seq == 1
    with psycopg.connect(office.database_url) as connection:
        connection.execute("ALTER TABLE entry DISABLE TRIGGER entry_is_for_ever")
        connection.execute(
            "UPDATE entry SET body = body || ' ', hash = sha256(previous || body || ' ')"
            " WHERE meter_id = %s",
            (answered.receipt.meter,),
        )
        connection.execute("ALTER TABLE entry ENABLE TRIGGER entry_is_for_ever")
    with pytest.raises(Refused, match="restored from an old copy"):
        _beat(agent, answered.note)


def test_only_our_own_receipts_count(office: Office, agent: Agent, tmp_path: Path) -> None:
    other = Agent.enrolled(office, tmp_path / "other", unique("t"), agent.identity.table)
    other.sign_on()
    [answered] = other.link.send([gates(1, agent.identity.table)])
    for note, sentence in (
        (answered.note, "the receipt of another device"),
        (answered.note.replace("accepted", "refused"), "has been changed"),
        ("", "not a signed note"),
    ):
        with pytest.raises(Refused, match=sentence) as refused:
            _beat(agent, note)
        assert refused.value.status == 422
