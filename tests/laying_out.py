"""A floor laid out in a second: systems, their tables, and a device with its key at each table.

What people do to get there (proposing, confirming, typing PINs) is proved elsewhere, so devices and
their Dealer are put straight into the database; the tables and the systems go through the door.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.clock import SteadyClock
from meter_server.contract import signatures
from meter_server.contract.signing_keys import new_signing_key, read_signing_key
from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import AREA_MANAGER, ASSISTANT_CASINO_MANAGER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from meter_server.recording.door import Door, Status, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage import devices, grants
from meter_server.storage.database import Database
from meter_server.storage.devices import DeviceKind, Key
from meter_server.storage.floor import PostgresFloor
from tests.integration.programs import Environment

DEALER = "1001"
EPOCH = 1
"""Of every device: each has been enrolled once."""
_OPTION_NUMBER, _SEED_DOLLARS = 1, 10_000
_SEATS = 7
_KEY_LIFE = timedelta(days=1)


@dataclass(frozen=True)
class Device:
    """A table agent, as whoever plays it must know it."""

    id: str
    table: str
    cost_cents: int
    private: bytes

    @property
    def key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.private)


def with_signing_key(env: Environment, folder: Path) -> tuple[Environment, str]:
    """What a server needs to answer devices, and the key by which they know its receipts."""
    key, file = new_signing_key("casino.example/prize-meter"), folder / "signing-key"
    file.touch(mode=0o600)
    file.write_text(key)
    more = {
        "METER_SERVER_SIGNING_KEY_FILE": str(file),
        "METER_SERVER_CHECKPOINT_FOLDER": str(folder / "checkpoints"),
    }
    return {**env, **more}, str(read_signing_key(key).verifier)


def lay_out(database_url: str, tables_of: Mapping[str, int]) -> tuple[Device, ...]:
    """So many tables for each meter, in a database that is migrated and holds nothing yet.

    A system costs a cent more than the one before it: no two may cost the same.
    """
    groups = {
        Terms(_OPTION_NUMBER, _SEED_DOLLARS, 100 + place): (meter, _tables(meter, number))
        for place, (meter, number) in enumerate(tables_of.items())
    }
    database = Database(database_url, connections_min=1, connections_max=1, wait_seconds=5)
    database.open()
    try:
        door = Door(PostgresFloor(database), SteadyClock())
        for terms, (meter, tables) in groups.items():
            _open(door, meter, terms, tables)
        with database.transaction() as connection:
            _hire_dealer(connection)
            return tuple(
                _enrol(connection, table, terms.cost_cents)
                for terms, (_, tables) in groups.items()
                for table in tables
            )
    finally:
        database.close()


def _tables(meter: str, number: int) -> list[str]:
    return [f"{meter}-T{place}" for place in range(1, number + 1)]


def _open(door: Door, meter: str, terms: Terms, tables: Sequence[str]) -> None:
    manager, second = Person("4001", ASSISTANT_CASINO_MANAGER), Person("3001", AREA_MANAGER)
    for number, command in enumerate(_commands(meter, terms, tables)):
        submission = Submission(
            key=staff_key(manager.staff_number, f"{meter}-{number}"),
            digest=hashlib.sha256(repr(command).encode()).digest(),
            command=command,
            actor=manager,
            second=second,
        )
        [answer] = door.step([submission])
        assert answer.status is Status.ANSWERED
        assert b'"answer":"accepted"' in answer.body, answer.body


def _commands(meter: str, terms: Terms, tables: Sequence[str]) -> Iterator[Command]:
    for table in tables:
        yield commands.DefineTable(table, GameKey.WSOP, _SEATS, Limits(1_000, 50_000))
        yield commands.OpenTable(table)
    yield commands.OpenSystem(meter, terms, tuple(tables))


def _hire_dealer(connection: psycopg.Connection) -> None:
    connection.execute(
        "INSERT INTO staff (number, name, role_key, state, created_at)"
        " VALUES (%s, 'The Dealer', 'dealer', 'active', now())",
        (DEALER,),
    )


def _enrol(connection: psycopg.Connection, table: str, cost_cents: int) -> Device:
    private, now = Ed25519PrivateKey.generate(), datetime.now(UTC)
    device, public = f"{table}-a", private.public_key().public_bytes_raw()
    epoch = devices.begin_epoch(connection, device, DeviceKind.AGENT, table, now)
    assert epoch == EPOCH
    key = Key(signatures.key_id(public), public, epoch, now, now + _KEY_LIFE)
    assert devices.add_key(connection, device, key)
    grants.sign_on(connection, device, table, DEALER, now)
    return Device(device, table, cost_cents, private.private_bytes_raw())
