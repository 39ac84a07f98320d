"""Message numbers as docs/protocol.md has them, on a real PostgreSQL."""

from collections.abc import Iterator

import psycopg
import pytest

from meter_server.domain import commands
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from meter_server.domain.rulebook.terms import Terms
from meter_server.recording.door import Door, Status, Submission
from meter_server.recording.ports import device_key, staff_key
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.migrate import migrate
from tests.unit.contract.vectors import read

MANAGER = Person("4001", ASSISTANT_CASINO_MANAGER)
SECOND = Person("4002", ASSISTANT_CASINO_MANAGER)
PLACES = {
    "next": Status.ANSWERED,
    "replay": Status.REPLAYED,
    "fork": Status.FORKED,
    "gap": Status.GAP,
}


class Clock:
    def now_us(self) -> int:
        return 1_800_000_000_000_000


@pytest.fixture
def door(database_url: str) -> Iterator[Door]:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        connection.execute("INSERT INTO device_number VALUES ('t1-a', 1, 0)")
    database = Database(database_url, connections_min=1, connections_max=2, wait_seconds=5)
    database.open()
    yield Door(PostgresFloor(database), Clock())
    database.close()


def test_every_message_stands_where_its_vector_says(door: Door, database_url: str) -> None:
    """The command is refused by the rules each time: a refusal consumes its number too."""
    nowhere = commands.OpenTable("T9")
    for vector in read("numbers")["messages"]:
        submission = Submission(
            device_key("t1-a", 1, vector["number"]),
            bytes.fromhex(vector["digest"]),
            nowhere,
            MANAGER,
        )
        (answer,) = door.step([submission])
        assert answer.status is PLACES[vector["place"]], vector
        with psycopg.connect(database_url) as connection:
            last = connection.execute("SELECT last_number FROM device_number").fetchone()
        assert last == (vector["last"],), vector


def test_what_cannot_be_written_spoils_its_own_message_only(door: Door) -> None:
    """The whole batch would be lost if its bytes were made after its decisions."""
    fits, too_large = (
        Submission(
            staff_key("4001", token),
            b"\0" * 32,
            commands.OpenSystem(token, Terms(1, 10_000, cost), (), value_micros=value),
            MANAGER,
            second=SECOND,
        )
        for token, cost, value in (("a", 100, None), ("b", 500, 2**53))
    )
    statuses = [answer.status for answer in door.step([too_large, fits])]
    assert statuses == [Status.FAILED, Status.ANSWERED]
