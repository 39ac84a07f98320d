"""The link to the server: every request signed with the device's own key."""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from socket import SHUT_RDWR
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract.canonical import canonical_json
from meter_server.contract.device.errors import DeviceError, NotReached, Refused
from meter_server.contract.device.identity import Identity
from meter_server.contract.signatures import signature_headers

_SECONDS_MAX = 15

Json = dict[str, Any]


class Link:
    def __init__(
        self, identity: Identity, key: Ed25519PrivateKey, seconds_max: float = _SECONDS_MAX
    ) -> None:
        self.identity = identity
        self._key = key
        self._seconds_max = seconds_max

    def get(self, path: str) -> Json:
        return self._ask("GET", path, b"")

    def post(self, path: str, body: Mapping[str, Any]) -> Json:
        return self._ask("POST", path, canonical_json(body))

    def _ask(self, method: str, path: str, body: bytes) -> Json:
        signed = signature_headers(self._key, method, path, body, datetime.now(UTC))
        return ask(self.identity.server, method, path, body, signed, self._seconds_max)


def ask(
    server: str,
    method: str,
    path: str,
    body: bytes,
    headers: Mapping[str, str],
    seconds_max: float = _SECONDS_MAX,
) -> Json:
    """One request; Refused where the server says no, NotReached where nobody knows.

    It ends within the seconds, whatever the other side does: one that sends a byte now and then, or
    has forgotten us, is cut off by closing the socket.
    """
    parts = urlsplit(require_safe(server))
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=seconds_max)
    sent = {**headers, "Content-Type": "application/json"} if body else dict(headers)
    deadline = Timer(seconds_max, _cut, [connection])
    deadline.daemon = True
    deadline.start()
    try:
        connection.request(method, path, body or None, sent)
        response = connection.getresponse()
        status, text = response.status, response.read()
        retry_after = response.getheader("Retry-After", "")
    except (OSError, HTTPException) as error:
        raise NotReached(
            f"The server at {server} does not answer ({error}): see to the network and try again."
        ) from None
    finally:
        deadline.cancel()
        connection.close()
    try:
        answer = json.loads(text) if text else {}
    except ValueError:
        raise NotReached(f"What answers at {server} is not Prize Meter's server.") from None
    if status >= 400:
        # As a date it is not heeded: this device's clock may be wrong.
        seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0
        raise Refused(status, answer, seconds)
    return dict(answer)


def _cut(connection: HTTPConnection) -> None:
    """Whoever waits for it sees the end of the connection."""
    with suppress(OSError):
        if connection.sock is not None:
            connection.sock.shutdown(SHUT_RDWR)


def require_safe(server: str) -> str:
    """TLS, unless the server is on this machine."""
    parts = urlsplit(server)
    if parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts.hostname or "")):
        return server.rstrip("/")
    raise DeviceError(f"'{server}' is not safe: use an https address, or a server on this machine.")


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
