"""A signed request with any one byte changed is refused, and leaves no trace."""

import socket
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from meter_server.contract import signatures
from meter_server.contract.canonical import canonical_json
from tests.integration.devices.floor import Agent, gates, open_table, unique
from tests.integration.office import Office

_SIGNED = (b"Content-Digest: ", b"Signature-Input: ", b"Signature: ")


@pytest.fixture
def agent(office: Office, tmp_path: Path) -> Agent:
    agent = Agent.enrolled(office, tmp_path, unique("t"), open_table(office))
    agent.sign_on()
    return agent


def _request(agent: Agent) -> bytes:
    """As it goes over the wire."""
    identity = agent.identity
    messages = [gates(1, identity.table)]
    body = canonical_json(
        {"device": identity.device, "epoch": identity.epoch, "messages": messages}
    )
    key = agent.folder.private_key(identity.key)
    signed = signatures.signature_headers(key, "POST", "/v1/messages", body, datetime.now(UTC))
    headers = "".join(f"{name}: {value}\r\n" for name, value in signed.items())
    head = (
        f"POST /v1/messages HTTP/1.1\r\n{headers}Host: 127.0.0.1\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


def _signed_places(request: bytes) -> list[int]:
    """The method, the target, the values of the three headers, and the body."""
    places = list(range(len(b"POST /v1/messages")))
    for name in _SIGNED:
        start = request.index(name) + len(name)
        places += range(start, request.index(b"\r\n", start))
    return places + list(range(request.index(b"\r\n\r\n") + 4, len(request)))


def _status(port: int, request: bytes) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return int(answer.split(b" ", 2)[1])


def test_every_byte_counts(office: Office, agent: Agent) -> None:
    request = _request(agent)
    body_begins = request.index(b"\r\n\r\n") + 4
    statuses: dict[int, int] = {}
    places = _signed_places(request)
    for place in places:
        changed = bytearray(request)
        changed[place] ^= 1
        statuses[place] = _status(office.port, bytes(changed))

    assert len(places) > 500
    assert all(400 <= status < 500 for status in statuses.values()), statuses
    # Another method or target is none of ours; whatever else is changed is nobody's word.
    target_ends = len(b"POST /v1/messages")
    assert {status for place, status in statuses.items() if place >= target_ends} == {401}
    assert {status for place, status in statuses.items() if place >= body_begins} == {401}
    assert _recorded(office, agent) == 0

    assert _status(office.port, request) == 200
    assert _recorded(office, agent) == 1


def test_the_query_counts_too(office: Office, agent: Agent) -> None:
    request = _request(agent)
    for target in (b"/v1/messages?", b"/v1/messages?a=1", b"/v1/%6Dessages?a"):
        changed = request.replace(b"/v1/messages", target, 1)
        assert _status(office.port, changed) in ((200,) if target == b"/v1/messages?" else (401,))


def _recorded(office: Office, agent: Agent) -> int:
    with psycopg.connect(office.database_url) as connection:
        row = connection.execute(
            "SELECT last_number FROM device_number WHERE device_id = %s", (agent.identity.device,)
        ).fetchone()
    assert row is not None
    return int(row[0])
