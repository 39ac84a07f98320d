"""The door on a real PostgreSQL: durable before answered, once, in one order."""

import hashlib
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import psycopg
import pytest

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import (
    AREA_MANAGER,
    ASSISTANT_CASINO_MANAGER,
    DEALER,
)
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from meter_server.recording.door import Answer, Door, Status, Submission
from meter_server.recording.ports import device_key, staff_key
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.migrate import migrate
from meter_server.storage.rows import Loaded, Needs, Write

MANAGER = Person("4001", ASSISTANT_CASINO_MANAGER)
SECOND = Person("3001", AREA_MANAGER)
DEALER_7 = Person("1007", DEALER)


@dataclass
class SteppedClock:
    at_us: int = 1_800_000_000_000_000

    def now_us(self) -> int:
        self.at_us += 1_000
        return self.at_us


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        connection.execute("INSERT INTO device_number VALUES ('t1', 1, 0), ('t2', 1, 0)")
    pool = Database(database_url, connections_min=1, connections_max=6, wait_seconds=5)
    pool.open()
    yield pool
    pool.close()


@pytest.fixture
def door(database: Database) -> Door:
    door = Door(PostgresFloor(database), SteppedClock())
    for number, command in enumerate(FLOOR):
        assert _answer(door.step([managers(str(number), command)])[0])["answer"] == "accepted"
    return door


FLOOR: tuple[Command, ...] = (
    commands.DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
    commands.DefineTable("T2", GameKey.THREE_CARD, 7, Limits(1_000, 50_000)),
    commands.OpenTable("T1"),
    commands.OpenTable("T2"),
    commands.OpenSystem("S5", Terms(1, 20_000, 500), ("T1", "T2")),
)


def managers(token: str, command: Command) -> Submission:
    return Submission(
        staff_key(MANAGER.staff_number, token), b"\0" * 32, command, MANAGER, second=SECOND
    )


def dealers(device: str, number: int, command: Command) -> Submission:
    digest = hashlib.sha256(repr(command).encode()).digest()
    return Submission(device_key(device, 1, number), digest, command, DEALER_7)


def register(number: int, table: str = "T1", device: str = "t1") -> Submission:
    wagers = commands.RegisterWagers(f"{device}-{number}", table, frozenset({1, 2, 3}), 500)
    return dealers(device, number, wagers)


def _answer(answer: Answer) -> dict[str, object]:
    found: dict[str, object] = json.loads(answer.body)
    return found


def test_a_round_is_kept_with_its_chain(door: Door, database_url: str) -> None:
    outcome = commands.RecordOutcome(
        "t1-1",
        {1: HandReport(own_cards=parse_cards("As Ks"))},
        parse_cards("Ts Js Qs"),
    )
    answers = door.step([register(1), dealers("t1", 2, outcome)])
    assert [answer.status for answer in answers] == [Status.ANSWERED] * 2
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "SELECT seq, kind, after_micros, previous, hash, body FROM entry ORDER BY seq"
        ).fetchall()
        meter = connection.execute("SELECT value_micros, seq, epoch, head FROM meter").fetchone()
    # $5 x 32.51 % = $1.6255 a wager; j of $100,004.8765 is $100,005.
    assert [(seq, kind, after) for seq, kind, after, *_ in rows] == [
        (1, "opening", 100_000_000_000),
        (2, "credit", 100_004_876_500),
        (3, "settlement", 100_004_876_500),
        (4, "prize", -123_500),
        (5, "reset", 100_000_000_000),
    ]
    previous = hashlib.sha256(b"prize-meter journal 1\n" + b"S5").digest()
    for _, _, _, stored_previous, stored_hash, body in rows:
        assert stored_previous == previous
        previous = hashlib.sha256(previous + body).digest()
        assert stored_hash == previous
    assert meter == (100_000_000_000, 5, 2, previous)


def test_a_repeat_is_answered_alike_and_changes_nothing(door: Door, database_url: str) -> None:
    (first,) = door.step([register(1)])
    again, twice = door.step([register(1), register(1)])
    assert (again.status, twice.status) == (Status.REPLAYED, Status.REPLAYED)
    assert again.body == twice.body == first.body
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT seq FROM meter").fetchone() == (2,)


def test_another_message_under_a_used_number_is_a_fork(door: Door) -> None:
    door.step([register(1)])
    forked = replace(register(1), digest=b"\1" * 32)
    assert door.step([forked])[0].status is Status.FORKED


def test_a_gap_is_not_recorded(door: Door) -> None:
    (gap,) = door.step([register(3)])
    assert (gap.status, gap.last_number) == (Status.GAP, 0)
    assert door.step([register(1)])[0].status is Status.ANSWERED


def test_a_refusal_consumes_its_number(door: Door) -> None:
    wrong = commands.RegisterWagers("t1-1", "T1", frozenset({1}), 100)
    refused, accepted = door.step([dealers("t1", 1, wrong), register(2)])
    assert _answer(refused)["kind"] == "wrong-cost"
    assert _answer(accepted)["answer"] == "accepted"


def test_two_servers_keep_one_order(database: Database, door: Door, database_url: str) -> None:
    """Two doors on one database, each with its own table's device, 40 rounds each."""
    other = Door(PostgresFloor(database), SteppedClock())
    statuses: list[Status] = []

    def play(server: Door, device: str, table: str) -> None:
        for number in range(1, 81, 2):
            step = [
                register(number, table, device),
                dealers(device, number + 1, commands.RecordOutcome(f"{device}-{number}")),
            ]
            statuses.extend(answer.status for answer in server.step(step))

    threads = [
        threading.Thread(target=play, args=arguments)
        for arguments in ((door, "t1", "T1"), (other, "t2", "T2"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [Status.ANSWERED] * 160
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "SELECT seq, before_micros, after_micros, previous, hash FROM entry ORDER BY seq"
        ).fetchall()
    assert [row[0] for row in rows] == list(range(1, 162))
    for earlier, later in itertools.pairwise(rows):
        assert later[1] == earlier[2]
        assert later[3] == earlier[4]
    # 2 tables x 40 rounds x 3 wagers x $1.6255
    assert rows[-1][2] == 100_000_000_000 + 80 * 3 * 1_625_500


def test_two_servers_cannot_open_systems_of_one_cost(database: Database, door: Door) -> None:
    """Both read a floor without a $1 system; only one of them may open it."""
    opened = commands.OpenSystem("A", Terms(1, 20_000, 100), ())

    def other_server() -> None:
        assert _answer(door.step([managers("a", opened)])[0])["answer"] == "accepted"

    late = _Overtaken(PostgresFloor(database), other_server)
    (answer,) = Door(late, SteppedClock()).step([managers("b", replace(opened, meter_id="B"))])
    assert _answer(answer)["kind"] == "cost-taken"
    assert late.kept == [False, True]


class _Overtaken:
    """Lets another server be first between reading and writing, once."""

    def __init__(self, store: PostgresFloor, other_server: Callable[[], None]) -> None:
        self._store = store
        self._other_server: Callable[[], None] | None = other_server
        self.kept: list[bool] = []

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        def overtaken(loaded: Loaded) -> Write:
            other, self._other_server = self._other_server, None
            if other:
                other()
            return decide(loaded)

        kept = self._store.attempt(needs, overtaken, locking=locking)
        self.kept.append(kept)
        return kept


def test_the_journal_cannot_be_edited(door: Door, database_url: str) -> None:
    door.step([register(1)])
    for change in (
        "UPDATE entry SET amount_micros = 0",
        "DELETE FROM entry",
        "TRUNCATE entry CASCADE",
        "DELETE FROM message",
    ):
        refused = pytest.raises(psycopg.errors.InsufficientPrivilege, match="stays as it is")
        with psycopg.connect(database_url) as connection, refused:
            connection.execute(change)
