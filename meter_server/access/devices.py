"""Table agents and gateways: let in by two persons and a one-time code, known by their signature.

A device makes its own key, and the private half never leaves it. Nothing here is remembered between
requests, so whoever is kept out is so from the next request on.
"""

import base64
import binascii
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator

from meter_server.access import audit, permissions
from meter_server.access.audit import Deed, Origin
from meter_server.access.desk import Desk
from meter_server.access.hashing import code_digest, new_code
from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.access.refusals import Denied, Kind
from meter_server.access.together import Together
from meter_server.contract import signatures
from meter_server.contract.receipts import Receipt
from meter_server.contract.signatures import NotSigned, Signed
from meter_server.domain.writing import NAME
from meter_server.storage import devices, floor_lists, grants
from meter_server.storage.database import Connection
from meter_server.storage.devices import Device, DeviceKind, DeviceState, Key, Known
from meter_server.storage.staff import Account

CODE_LIFE = timedelta(minutes=10)
KEY_LIFE = timedelta(days=400)
OVERLAP = timedelta(hours=24)
"""How long the old key is good beside its successor."""

_ENROL_AGAIN = "Have it enrolled again: two persons and a one-time code."

DeviceName = Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]


class NewDevice(BaseModel):
    """What two persons stand behind: the name, and the one table it will speak for."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    device: DeviceName
    kind: Literal["agent", "gateway"]
    table: DeviceName | None

    @model_validator(mode="after")
    def _agents_have_tables(self) -> Self:
        if (self.kind == "agent") != (self.table is not None):
            raise ValueError("an agent stands at a table, and a gateway at none")
        return self


def handlers(desk: Desk) -> Handlers:
    def enrol_confirmed(connection: Connection, confirmed: Confirmed[NewDevice]) -> Done:
        new, code, expires_at = confirmed.body, new_code(), desk.now() + CODE_LIFE
        devices.offer_enrolment(
            connection,
            new.device,
            DeviceKind(new.kind),
            new.table,
            proposal_id=confirmed.proposal_id,
            code_digest=code_digest(code),
            expires_at=expires_at,
        )
        result = {"device": new.device, "code_expires_at": expires_at.isoformat()}
        return Done(result, once={"code": code})

    propose, confirm = Permission.ENROL_DEVICES, Permission.CONFIRM_ENROLMENT
    return {"enrol-device": Handler(NewDevice, propose, confirm, enrol_confirmed, _check_table)}


def enrol(
    desk: Desk, origin: Origin, device_id: str, code: str, public_key: str, proof: str
) -> tuple[Device, Key]:
    """The device shows the code and that it holds the key; the code is used up."""
    with audit.watched(desk, origin, "device:enrol", subject=device_id) as deed:
        public = _new_public_key(
            public_key, proof, signatures.ENROLMENT, device_id, code, public_key
        )
        now = desk.now()
        with desk.database.transaction() as connection:
            offered = devices.use_enrolment(connection, device_id, code_digest(code), now)
            if offered is None:
                raise Denied(
                    Kind.WRONG_CREDENTIALS,
                    "That is not a one-time code of this device that is still open.",
                    remedy="Type the device's name and the code again, or ask for a new code.",
                )
            before = devices.find(connection, device_id)
            kind, table_id = offered
            epoch = devices.begin_epoch(connection, device_id, kind, table_id, now)
            key = _add_key(connection, device_id, epoch, public, now)
            if table_id is not None:  # whoever stood at the console of this name signs on again
                grants.sign_on(connection, device_id, table_id, None, now)
            deed.done(
                connection,
                before=None if before is None else _told(before),
                after={"epoch": epoch, "kind": kind, "table": table_id, "key": key.id},
            )
            return find_in(connection, device_id), key


def rotate(
    desk: Desk, origin: Origin, device: Device, old: Key, public_key: str, proof: str
) -> Key:
    """The old key, which signed the request, brings its successor and is good for a while yet."""
    with audit.watched(desk, origin, "device:rotate", subject=device.id) as deed:
        facts = (signatures.ROTATION, device.id, str(device.epoch), old.id, public_key)
        public = _new_public_key(public_key, proof, *facts)
        now = desk.now()
        with desk.database.transaction() as connection:
            current = devices.lock(connection, device.id)
            if current != device:
                raise Denied(
                    Kind.DEVICE_KEPT_OUT,
                    "The device was changed at the same moment.",
                    remedy="Try again.",
                )
            key = _add_key(connection, device.id, device.epoch, public, now)
            devices.end_other_keys(connection, device.id, key.id, now + OVERLAP)
            deed.done(connection, before={"key": old.id}, after={"key": key.id})
    return key


def revoke(desk: Desk, origin: Origin, by: Account, device_id: str, reason: str) -> Device:
    """One person is enough to keep a device out at once; letting it in again takes two, after this:
    a one-time code that was not shown yet is over too."""
    with audit.watched(desk, origin, "device:revoke", person=by.number, subject=device_id) as deed:
        permissions.require(by, Permission.ENROL_DEVICES)
        with desk.database.transaction() as connection:
            before = _require_known(devices.lock(connection, device_id), device_id)
            devices.keep_out(connection, device_id, DeviceState.REVOKED, reason)
            devices.withdraw_enrolment(connection, device_id)
            after = find_in(connection, device_id)
            deed.done(connection, before=_told(before), after=_told(after))
            return after


def freeze(desk: Desk, origin: Origin, device: Device, reason: str) -> None:
    """It said two things under one number: whoever holds its key now, it is not to be trusted."""
    with (
        audit.watched(desk, origin, "device:freeze", subject=device.id) as deed,
        desk.database.transaction() as connection,
    ):
        before = _require_known(devices.lock(connection, device.id), device.id)
        if before.epoch == device.epoch and before.state is DeviceState.ENROLLED:
            devices.keep_out(connection, device.id, DeviceState.FROZEN, reason)
        deed.done(connection, before=_told(before), after=_told(find_in(connection, device.id)))


def keys_asked_together(desk: Desk, when_told: Callable[[], None]) -> Together[str, Known]:
    """Every request asks for its key: many tables at once ask the database once."""

    def find_all(key_ids: Collection[str]) -> dict[str, Known]:
        with desk.database.connection() as connection:
            return devices.find_keys(connection, key_ids)

    return Together(find_all, when_told)


def whose(desk: Desk, keys: Together[str, Known], origin: Origin, request: Signed) -> Known:
    """The device that signed this request, if it is let in."""
    try:
        known = _named(keys, request)
        signatures.verify(request, known.key.public)
    except NotSigned as error:
        raise Denied(
            Kind.NOT_SIGNED, str(error), remedy="Sign the request with the device's own key."
        ) from None
    refusal = _kept_out(known.device, known.key, desk.now())
    if refusal is not None:
        raise _told_of(desk, origin, "device:ask", known.device, refusal)
    return known


def is_let_in(known: Known, request: Signed, now: datetime) -> bool:
    """Whether this device signed the request and may ask; where not, ``whose`` tells why."""
    try:
        signatures.verify(request, known.key.public)
    except NotSigned:
        return False
    return _kept_out(known.device, known.key, now) is None


def beat(desk: Desk, origin: Origin, device: Device, receipt: Receipt | None) -> None:
    """The device lives. The last receipt it holds shows whether the server still has what it
    acknowledged: one that was restored from an older copy does not."""
    with desk.database.connection() as connection:
        devices.beat(connection, device.id, desk.now())
        kept = receipt is None or _keeps(connection, receipt)
    if not kept:
        lost = Denied(
            Kind.HISTORY_LOST,
            "The server does not have what this receipt says it recorded.",
            remedy="Take no wagers and call the operator: it was restored from an old copy.",
        )
        raise _told_of(desk, origin, "receipt:compare", device, lost)


def find(desk: Desk, device_id: str) -> Device:
    with desk.database.connection() as connection:
        return find_in(connection, device_id)


def page(desk: Desk, after: str, rows: int) -> list[Device]:
    with desk.database.connection() as connection:
        return devices.page(connection, after, rows)


def last_number(desk: Desk, device: Device) -> int:
    with desk.database.connection() as connection:
        return devices.last_number(connection, device)


def find_in(connection: Connection, device_id: str) -> Device:
    return _require_known(devices.find(connection, device_id), device_id)


def _told_of(desk: Desk, origin: Origin, what: str, device: Device, denied: Denied) -> Denied:
    """The refusal, once it is in the trail."""
    Deed(desk, origin, what, subject=device.id).refused(denied.refusal.sentence)
    return denied


def _keeps(connection: Connection, receipt: Receipt) -> bool:
    head = None
    if receipt.meter is not None and receipt.meter_seq is not None and receipt.head is not None:
        head = (receipt.meter, receipt.meter_seq, bytes.fromhex(receipt.head))
    message = f"device:{receipt.device}:{receipt.epoch}:{receipt.number}"
    return devices.keeps_receipt(connection, message, bytes.fromhex(receipt.message), head)


def _named(keys: Together[str, Known], request: Signed) -> Known:
    known = keys.ask(signatures.named_key(request))
    if known is None:
        raise NotSigned("The key that signed is of no device here.")
    return known


def _kept_out(device: Device, key: Key, now: datetime) -> Denied | None:
    if device.state is not DeviceState.ENROLLED:
        reason = f"The device {device.id} is {device.state} ({device.reason})."
    elif key.epoch != device.epoch:
        reason = f"The device {device.id} was enrolled anew, and this key is of an earlier epoch."
    elif not key.valid_from <= now < key.valid_to:
        reason = f"The key of the device {device.id} is over."
    else:
        return None
    return Denied(Kind.DEVICE_KEPT_OUT, reason, remedy=_ENROL_AGAIN)


def _new_public_key(public_key: str, proof: str, *facts: str) -> bytes:
    try:
        public = base64.b64decode(public_key, validate=True)
        signatures.require_proof(public, proof, *facts)
    except (binascii.Error, ValueError, NotSigned):
        raise Denied(
            Kind.NOT_ACCEPTABLE,
            "That is not a public key with a proof by its private half.",
            remedy="Make a new Ed25519 key on the device and try again.",
        ) from None
    return public


def _add_key(
    connection: Connection, device_id: str, epoch: int, public: bytes, now: datetime
) -> Key:
    key = Key(signatures.key_id(public), public, epoch, now, now + KEY_LIFE)
    if not devices.add_key(connection, device_id, key):
        raise Denied(
            Kind.ALREADY_EXISTS,
            "That key was used before.",
            remedy="Make a new key: each is for one epoch of one device.",
        )
    return key


def _check_table(connection: Connection, _person: Account, body: NewDevice) -> None:
    if body.table is not None and not floor_lists.tables(connection, only=body.table):
        raise Denied(
            Kind.UNKNOWN, f"There is no table {body.table}.", remedy="Define the table first."
        )


def _require_known(device: Device | None, device_id: str) -> Device:
    if device is None:
        raise Denied(Kind.UNKNOWN, f"There is no device {device_id}.", remedy="Look at the list.")
    return device


def _told(device: Device) -> audit.Json:
    return {"epoch": device.epoch, "state": device.state, "reason": device.reason}
