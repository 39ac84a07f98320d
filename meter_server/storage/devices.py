"""Table agents and signage gateways, their public keys, and the codes that let them in."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from psycopg import Connection

from meter_server.storage.queries import queries
from meter_server.storage.staff import Account, account_from


class DeviceKind(StrEnum):
    AGENT = "agent"
    """Reports the rounds of one table."""
    GATEWAY = "gateway"
    """Feeds the signs."""


class DeviceState(StrEnum):
    ENROLLED = "enrolled"
    FROZEN = "frozen"
    """It contradicted itself; it comes back by being enrolled again."""
    REVOKED = "revoked"
    """A person took it out of service."""


@dataclass(frozen=True, slots=True)
class Device:
    id: str
    kind: DeviceKind
    table_id: str | None
    epoch: int
    state: DeviceState
    reason: str | None
    """Why it is kept out; None while it is enrolled."""
    enrolled_at: datetime


@dataclass(frozen=True, slots=True)
class Key:
    id: str
    public: bytes
    epoch: int
    valid_from: datetime
    valid_to: datetime


@dataclass(frozen=True, slots=True)
class Known:
    """Whom a key is of."""

    device: Device
    key: Key
    here: Account | None
    """The person at the device's console now, whether active or not."""


def find(connection: Connection, device_id: str) -> Device | None:
    row = queries.find_device(connection, id=device_id)
    return _device(row) if row else None


def lock(connection: Connection, device_id: str) -> Device | None:
    """Inside a transaction: nobody else changes it until the end."""
    row = queries.lock_device(connection, id=device_id)
    return _device(row) if row else None


def page(connection: Connection, after: str, rows: int) -> list[Device]:
    return [_device(row) for row in queries.devices_page(connection, after=after, page_rows=rows)]


def find_keys(connection: Connection, key_ids: Collection[str]) -> dict[str, Known]:
    """By the id of the key; a key of no device is left out."""
    rows = queries.find_device_keys(connection, key_ids=list(key_ids))
    return {row[7]: _known(row) for row in rows}


def offer_enrolment(
    connection: Connection,
    device_id: str,
    kind: DeviceKind,
    table_id: str | None,
    *,
    proposal_id: str,
    code_digest: bytes,
    expires_at: datetime,
) -> None:
    queries.offer_enrolment(
        connection,
        device_id=device_id,
        kind=kind,
        table_id=table_id,
        proposal_id=proposal_id,
        code_digest=code_digest,
        expires_at=expires_at,
    )


def use_enrolment(
    connection: Connection, device_id: str, code_digest: bytes, now: datetime
) -> tuple[DeviceKind, str | None] | None:
    """What the device is to be, for the one who used the code up."""
    row = queries.use_enrolment(connection, device_id=device_id, code_digest=code_digest, now=now)
    return (DeviceKind(row[0]), row[1]) if row else None


def withdraw_enrolment(connection: Connection, device_id: str) -> None:
    queries.withdraw_enrolment(connection, device_id=device_id)


def begin_epoch(
    connection: Connection, device_id: str, kind: DeviceKind, table_id: str | None, now: datetime
) -> int:
    """Inside a transaction: the device in its first or next epoch, with no message yet."""
    epoch: int = queries.put_device(connection, id=device_id, kind=kind, table_id=table_id, now=now)
    queries.begin_numbers(connection, device_id=device_id, epoch=epoch)
    return epoch


def last_number(connection: Connection, device: Device) -> int:
    last: int = queries.last_number(connection, device_id=device.id, epoch=device.epoch)
    return last


def add_key(connection: Connection, device_id: str, key: Key) -> bool:
    """False where the key was somebody's before."""
    added: int = queries.add_device_key(
        connection,
        key_id=key.id,
        public_key=key.public,
        device_id=device_id,
        epoch=key.epoch,
        now=key.valid_from,
        valid_to=key.valid_to,
    )
    return added == 1


def end_other_keys(connection: Connection, device_id: str, but: str, valid_to: datetime) -> None:
    """Every other key of the device is good until then at the latest."""
    queries.shorten_device_keys(connection, device_id=device_id, but=but, valid_to=valid_to)


def keep_out(connection: Connection, device_id: str, state: DeviceState, reason: str) -> None:
    queries.keep_device_out(connection, id=device_id, state=state, reason=reason)


def lock_agents(connection: Connection, table_id: str, also: str) -> list[Device]:
    """Inside a transaction: every agent of the table, and one that may be another's."""
    rows = queries.lock_agents_of_table(connection, table_id=table_id, also=also)
    return [_device(row) for row in rows]


def move(connection: Connection, device_id: str, table_id: str) -> None:
    queries.move_device(connection, id=device_id, table_id=table_id)


def beat(connection: Connection, device_id: str, now: datetime) -> None:
    queries.beat_device(connection, device_id=device_id, now=now)


def keeps_receipt(
    connection: Connection,
    message: str,
    digest: bytes,
    head: tuple[str, int, bytes] | None,
) -> bool:
    """Whether the message, and the entry its meter stood at, are still here as they were."""
    meter_id, seq, entry_hash = head or (None, None, None)
    return bool(
        queries.keeps_receipt(
            connection,
            message=message,
            digest=digest,
            meter_id=meter_id,
            seq=seq,
            head=entry_hash,
        )
    )


def _known(row: tuple[Any, ...]) -> Known:
    here = row[12:]
    return Known(_device(row[:7]), Key(*row[7:12]), account_from(here) if here[0] else None)


def _device(row: tuple[Any, ...]) -> Device:
    device_id, kind, table_id, epoch, state, reason, enrolled_at = row
    return Device(
        device_id, DeviceKind(kind), table_id, epoch, DeviceState(state), reason, enrolled_at
    )
