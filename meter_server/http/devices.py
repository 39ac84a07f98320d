"""Table agents and gateways: proposed, enrolled by a one-time code, seen, and kept out."""

from http import HTTPStatus

from pydantic import Field

from meter_server.access import devices
from meter_server.access.devices import NewDevice
from meter_server.access.permissions import Permission
from meter_server.contract.notes import NotTrusted
from meter_server.contract.receipts import Receipt, open_receipt
from meter_server.domain.tables import Gate, TableState
from meter_server.http.api.endpoints import Family
from meter_server.http.api.guards import Anybody
from meter_server.http.api.models import Instant, Name, Page, PageQuery, Shown, Strict, Text
from meter_server.http.api.pages import page
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.api.signed import (
    AT_TABLE,
    DEVICE,
    AtTable,
    Machine,
    origin,
    require_signer,
)
from meter_server.http.problems import Problem
from meter_server.http.proposals import ProposalShown, propose
from meter_server.http.sessions import GUESSING
from meter_server.reading import floor
from meter_server.storage.devices import Device, DeviceKind, DeviceState, Key

family = Family("devices", "Table agents and gateways")


class DeviceShown(Shown):
    device: str
    kind: DeviceKind
    table: str | None
    epoch: int = Field(description="One more each time the device is enrolled.")
    state: DeviceState
    reason: str | None = Field(description="Why it is kept out.")
    enrolled_at: Instant

    @classmethod
    def of(cls, device: Device) -> "DeviceShown":
        return cls(
            device=device.id,
            kind=device.kind,
            table=device.table_id,
            epoch=device.epoch,
            state=device.state,
            reason=device.reason,
            enrolled_at=device.enrolled_at,
        )


class Revocation(Strict):
    reason: Text


class NewKey(Strict):
    public_key: str = Field(
        min_length=44, max_length=44, description="Ed25519, 32 bytes in base64."
    )
    proof: str = Field(
        min_length=88, max_length=88, description="By its private half; see docs/protocol.md."
    )


class Enrolment(NewKey):
    device: Name
    code: str = Field(min_length=1, max_length=40, description="The one-time code.")


class KeyShown(Shown):
    key: str = Field(description="The key's name: the keyid of signatures.")
    valid_to: Instant

    @classmethod
    def of(cls, key: Key) -> "KeyShown":
        return cls(key=key.id, valid_to=key.valid_to)


class Enrolled(Shown):
    device: DeviceShown
    key: KeyShown
    server_key: str = Field(description="With which the server signs receipts: keep it.")


class Heartbeat(Strict):
    receipt: str | None = Field(
        max_length=4000, description="The last one, as it was given; null where there is none yet."
    )


class Heard(Shown):
    at: Instant = Field(description="The server's time.")
    last_number: int = Field(description="Of the messages recorded in this epoch.")


class Status(Shown):
    """How a table agent stands, and which condition for taking wagers fails."""

    device: DeviceShown
    key: KeyShown
    server_key: str
    last_number: int = Field(description="Of the messages recorded in this epoch.")
    system: str | None
    table_state: TableState
    failing: list[Gate] = Field(
        description="amounts, settlement-times, meter-reading: WSOP 9.5.1-3, Three Card 6.5.1-3; "
        "display: WSOP 9.1.1(k), Three Card 6.1.1(k)."
    )
    open_round: str | None
    at: Instant = Field(description="The server's time.")


@family.get("/v1/devices", permitted(Permission.READ_DEVICES), "List the devices.")
def list_devices(caller: Staff, query: PageQuery) -> Page[DeviceShown]:
    found = devices.page(caller.parts.desk, query.after or "", query.limit + 1)
    return page(found, query.limit, DeviceShown.of, lambda device: device.device)


@family.get("/v1/devices/<device_id>", permitted(Permission.READ_DEVICES), "Show one device.")
def show(caller: Staff, device_id: Name) -> DeviceShown:
    return DeviceShown.of(devices.find(caller.parts.desk, device_id))


@family.post(
    "/v1/devices",
    SIGNED_IN,
    "Propose to enrol a device, or to enrol it again; confirming gives a one-time code.",
    status=HTTPStatus.ACCEPTED,
    refuses=[HTTPStatus.NOT_FOUND],
)
def propose_enrolment(caller: Staff, body: NewDevice) -> ProposalShown:
    return propose(caller, "enrol-device", body)


@family.post("/v1/devices/<device_id>/revocation", SIGNED_IN, "Keep a device out at once.")
def revoke(caller: Staff, device_id: Name, body: Revocation) -> DeviceShown:
    parts = caller.parts
    return DeviceShown.of(
        devices.revoke(parts.desk, caller.origin, caller.account, device_id, body.reason)
    )


@family.post(
    "/v1/enrolments",
    GUESSING,
    "A device shows its one-time code and its own new key.",
    status=HTTPStatus.CREATED,
    refuses=[HTTPStatus.CONFLICT],
)
def enrol(caller: Anybody, body: Enrolment) -> Enrolled:
    signer = require_signer(caller.parts)
    device, key = devices.enrol(
        caller.parts.desk, origin(), body.device, body.code, body.public_key, body.proof
    )
    return Enrolled(
        device=DeviceShown.of(device), key=KeyShown.of(key), server_key=str(signer.verifier)
    )


@family.post(
    "/v1/device/keys",
    DEVICE,
    "A device brings its next key, signed by the one it has.",
    status=HTTPStatus.CREATED,
    refuses=[HTTPStatus.CONFLICT],
)
def rotate(caller: Machine, body: NewKey) -> KeyShown:
    return KeyShown.of(
        devices.rotate(
            caller.parts.desk,
            caller.origin,
            caller.device,
            caller.key,
            body.public_key,
            body.proof,
        )
    )


@family.post(
    "/v1/device/heartbeat",
    DEVICE,
    "A device lives, and shows the last receipt it holds.",
    refuses=[HTTPStatus.CONFLICT],
)
def beat(caller: Machine, body: Heartbeat) -> Heard:
    desk = caller.parts.desk
    devices.beat(desk, caller.origin, caller.device, _own_receipt(caller, body.receipt))
    return Heard(at=desk.now(), last_number=devices.last_number(desk, caller.device))


@family.get("/v1/device/status", AT_TABLE, "How a table agent stands.")
def status(caller: AtTable) -> Status:
    desk = caller.parts.desk
    row = floor.table(desk.database, caller.console.table_id)
    assert row is not None  # noqa: S101 - the database keeps the table of every device
    table = row.table
    return Status(
        device=DeviceShown.of(caller.device),
        key=KeyShown.of(caller.key),
        server_key=str(caller.signer.verifier),
        last_number=devices.last_number(desk, caller.device),
        system=table.meter_id,
        table_state=table.state,
        failing=sorted(table.failing | caller.parts.watch.gates.failing_at(table.id)),
        open_round=table.open_round_id,
        at=desk.now(),
    )


def _own_receipt(caller: Machine, note: str | None) -> Receipt | None:
    """Of this device, in this or an earlier epoch, and signed by us."""
    if note is None:
        return None
    try:
        receipt = open_receipt(note, [caller.signer.verifier])
    except NotTrusted as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
    if receipt.device != caller.device.id:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "That is the receipt of another device.")
    return receipt
