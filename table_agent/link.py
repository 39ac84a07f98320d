"""The link to the server: every request signed with the device's own key, every receipt checked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract.canonical import answer_digest, canonical_json, message_digest
from meter_server.contract.notes import NotTrusted
from meter_server.contract.receipts import Receipt, open_receipt
from meter_server.contract.signatures import signature_headers
from table_agent.errors import AgentError, NotReached, Refused
from table_agent.identity import Identity

_SECONDS_MAX = 15

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """What the server recorded of one message, and its word for it."""

    answer: Json
    replayed: bool
    note: str
    receipt: Receipt


class Link:
    def __init__(self, identity: Identity, key: Ed25519PrivateKey) -> None:
        self._identity = identity
        self._key = key

    def get(self, path: str) -> Json:
        return self._ask("GET", path, b"")

    def post(self, path: str, body: Mapping[str, Any]) -> Json:
        return self._ask("POST", path, canonical_json(body))

    def send(self, messages: Sequence[Json]) -> list[Answered]:
        """Messages in the order of their numbers; where fewer are answered, send the rest again."""
        identity = self._identity
        body = {"device": identity.device, "epoch": identity.epoch, "messages": list(messages)}
        answers = self.post("/v1/messages", body)["answers"]
        return [
            self._trusted(message, answered)
            for message, answered in zip(messages, answers, strict=False)
        ]

    def _ask(self, method: str, path: str, body: bytes) -> Json:
        signed = signature_headers(self._key, method, path, body, datetime.now(UTC))
        return ask(self._identity.server, method, path, body, signed)

    def _trusted(self, message: Json, answered: Json) -> Answered:
        """The receipt must be the server's own, for this message and for this answer."""
        identity = self._identity
        try:
            receipt = open_receipt(answered["receipt"], [identity.verifier])
        except NotTrusted as error:
            raise AgentError(f"The server's receipt cannot be trusted: {error}") from None
        named = (receipt.device, receipt.epoch, receipt.number, receipt.message, receipt.answer)
        expected = (
            identity.device,
            identity.epoch,
            message["number"],
            message_digest(canonical_json(message)),
            answer_digest(canonical_json(answered["answer"])),
        )
        if named != expected:
            raise AgentError(
                f"The server's receipt is not for message {message['number']}: tell the operator."
            )
        return Answered(answered["answer"], answered["replayed"], answered["receipt"], receipt)


def ask(server: str, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Json:
    """One request; Refused where the server says no, NotReached where nobody knows."""
    parts = urlsplit(require_safe(server))
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_SECONDS_MAX)
    sent = {**headers, "Content-Type": "application/json"} if body else dict(headers)
    try:
        connection.request(method, path, body or None, sent)
        response = connection.getresponse()
        status, text = response.status, response.read()
    except (OSError, HTTPException) as error:
        raise NotReached(
            f"The server at {server} does not answer ({error}): see to the network and try again."
        ) from None
    finally:
        connection.close()
    try:
        answer = json.loads(text) if text else {}
    except ValueError:
        raise NotReached(f"What answers at {server} is not Prize Meter's server.") from None
    if status >= 400:
        raise Refused(status, answer)
    return dict(answer)


def require_safe(server: str) -> str:
    """TLS, unless the server is on this machine."""
    parts = urlsplit(server)
    if parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts.hostname or "")):
        return server.rstrip("/")
    raise AgentError(f"'{server}' is not safe: use an https address, or a server on this machine.")


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
