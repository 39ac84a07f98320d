"""Devices, known by their signature: table agents and gateways."""

from dataclasses import dataclass
from http import HTTPStatus

from flask import g, request

from meter_server.access import devices
from meter_server.access.audit import Origin, Source
from meter_server.access.consoles import Console
from meter_server.contract.notes import Signer
from meter_server.contract.signatures import CONTENT_DIGEST, SIGNATURE, SIGNATURE_INPUT, Signed
from meter_server.http.api import limits
from meter_server.http.api.guards import Guard
from meter_server.http.api.parts import Parts
from meter_server.http.problems import Problem
from meter_server.storage.devices import Device, DeviceKind, Key
from meter_server.storage.staff import Account

SECURITY = {
    "signature": {
        "type": "apiKey",
        "in": "header",
        "name": SIGNATURE,
        "description": "RFC 9421 with the device's Ed25519 key; the one form is in "
        "docs/protocol.md.",
    },
}


@dataclass(frozen=True)
class Machine:
    """A device that signed this request and is let in."""

    parts: Parts
    device: Device
    key: Key
    here: Account | None
    """Whoever stands at the console of a table agent now."""
    request: Signed
    origin: Origin
    signer: Signer


@dataclass(frozen=True)
class AtTable(Machine):
    """A table agent."""

    console: Console


def require_signer(parts: Parts) -> Signer:
    if parts.signer is None:
        raise Problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "The server has no signing key: create one with 'meter-server keys create' and set "
            "METER_SERVER_SIGNING_KEY_FILE.",
            headers={"Retry-After": "60"},
        )
    return parts.signer


def origin(device_id: str | None = None) -> Origin:
    return Origin(Source.CONSOLE, request.remote_addr or "unknown", g.request_id, device_id)


def _machine(parts: Parts) -> Machine:
    signer = require_signer(parts)
    signed = Signed(
        method=request.method,
        path=request.path,
        query=request.query_string.decode("latin-1"),
        body=request.get_data(),
        headers={
            name: request.headers.get(name, "")
            for name in (CONTENT_DIGEST, SIGNATURE_INPUT, SIGNATURE)
        },
    )
    known = devices.whose(parts.desk, parts.keys, origin(), signed)
    device = known.device
    limits.count(parts.limits, limits.DEVICE, device.id)
    return Machine(parts, device, known.key, known.here, signed, origin(device.id), signer)


def _at_table(parts: Parts) -> AtTable:
    machine = _machine(parts)
    table_id = machine.device.table_id
    if table_id is None:
        raise Problem(HTTPStatus.FORBIDDEN, "A gateway stands at no table: ask a table agent.")
    console = Console(machine.device.id, table_id)
    return AtTable(
        machine.parts,
        machine.device,
        machine.key,
        machine.here,
        machine.request,
        machine.origin,
        machine.signer,
        console,
    )


def _gateway(parts: Parts) -> Machine:
    machine = _machine(parts)
    if machine.device.kind is not DeviceKind.GATEWAY:
        raise Problem(HTTPStatus.FORBIDDEN, "This is for gateways: a table agent shows no signs.")
    return machine


_HEADERS = {
    CONTENT_DIGEST: {"type": "string", "description": "RFC 9530, sha-256, of the body."},
    SIGNATURE_INPUT: {"type": "string"},
}
_REFUSES = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

DEVICE = Guard(_machine, tuple(SECURITY), headers=_HEADERS, refuses=_REFUSES)
AT_TABLE = Guard(
    _at_table, tuple(SECURITY), headers=_HEADERS, refuses=(*_REFUSES, HTTPStatus.FORBIDDEN)
)
GATEWAY = Guard(
    _gateway, tuple(SECURITY), headers=_HEADERS, refuses=(*_REFUSES, HTTPStatus.FORBIDDEN)
)
