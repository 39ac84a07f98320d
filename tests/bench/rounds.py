"""Ordinary rounds as an agent sends them: wagers at six seats, then the outcome, mostly nothing."""

from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract.canonical import canonical_json
from meter_server.contract.signatures import signature_headers
from tests.laying_out import DEALER, EPOCH, Device

SEATS = (1, 2, 3, 4, 5, 6)
PATH = "/v1/messages"
_BONUS_EVERY = 10
"""Every tenth round has a full house, which pays a bonus and never touches the meter."""

Json = dict[str, Any]


def signed_requests(device: Device, requests: int, messages_each: int) -> list[bytes]:
    """As they go over the wire, signed: what is sent costs nothing while the clock runs."""
    key = device.key
    firsts = range(1, requests * messages_each + 1, messages_each)
    return [
        _on_the_wire(key, _body(device, range(first, first + messages_each))) for first in firsts
    ]


def _on_the_wire(key: Ed25519PrivateKey, body: bytes) -> bytes:
    signed = signature_headers(key, "POST", PATH, body, datetime.now(UTC))
    headers = "".join(f"{name}: {value}\r\n" for name, value in signed.items())
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


def _body(device: Device, numbers: range) -> bytes:
    messages = [_message(device, number) for number in numbers]
    return canonical_json({"device": device.id, "epoch": EPOCH, "messages": messages})


def _message(device: Device, number: int) -> Json:
    at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    command = _command(device, number)
    return {"number": number, "agent_at": at, "actor": DEALER, "grant": None, "command": command}


def _command(device: Device, number: int) -> Json:
    """Odd numbers begin a round, even ones end it."""
    counter = (number + 1) // 2
    round_id = f"{device.id}/{EPOCH}/{counter}"
    if number % 2:
        return {
            "kind": "register-wagers",
            "round": round_id,
            "table": device.table,
            "seats": list(SEATS),
            "cost_cents": device.cost_cents,
        }
    full_house = {"seat": SEATS[0], "hand": "full-house", "cards": "", "folded": False}
    return {
        "kind": "record-outcome",
        "round": round_id,
        "hands": [] if counter % _BONUS_EVERY else [full_house],
        "shared_cards": "",
        "case": None,
    }
