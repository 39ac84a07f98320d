"""What the door may rely on: PostgreSQL and the simulation's store keep the same promises."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import product

import psycopg
import pytest

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.rulebook.terms import Terms
from meter_server.recording.door import Door, Status, Submission
from meter_server.recording.ports import Store
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor, load_floor
from meter_server.storage.migrate import migrate
from meter_server.storage.rows import Loaded, Needs, Write
from tests.integration.recording.test_door import (
    FLOOR,
    SteppedClock,
    dealers,
    managers,
    register,
)
from tests.simulation.store import MemoryFloor

DEVICES = ("t1", "t2")
ROYAL = commands.RecordOutcome(
    "t1-1", {1: HandReport(own_cards=parse_cards("As Ks"))}, parse_cards("Ts Js Qs")
)
CARRY: Command = commands.DeclareIrregularity("T1", "cards-exposed", frozenset(), frozenset(), "")
DAY: tuple[tuple[Submission, ...], ...] = (
    tuple(managers(str(number), command) for number, command in enumerate(FLOOR)),
    (register(1), dealers("t1", 2, ROYAL), register(1, "T2", "t2")),
    (register(3), register(3), dealers("t2", 2, commands.RecordOutcome("t2-1"))),
    (dealers("t1", 4, CARRY), dealers("t2", 3, commands.RecordOutcome("unknown"))),
    (managers("b", commands.OpenSystem("B", Terms(1, 20_000, 100), ())),),
)
"""A floor, a royal flush, a repeat, an outcome without winners, a refusal, another system."""


@pytest.fixture
def postgres(database_url: str) -> Iterator[PostgresFloor]:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        for device in DEVICES:
            connection.execute("INSERT INTO device_number VALUES (%s, 1, 0)", (device,))
    pool = Database(database_url, connections_min=1, connections_max=3, wait_seconds=5)
    pool.open()
    yield PostgresFloor(pool)
    pool.close()


@pytest.fixture(params=["PostgreSQL", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryFloor(DEVICES)
    found: PostgresFloor = request.getfixturevalue("postgres")
    return found


def _live(store: Store) -> list[tuple[Status, bytes]]:
    door = Door(store, SteppedClock())
    answers = [answer for batch in DAY for answer in door.step(batch)]
    return [(answer.status, hashlib.sha256(answer.body).digest()) for answer in answers]


def test_both_are_answered_alike_and_read_alike(postgres: PostgresFloor) -> None:
    """Whatever a batch may ask for, from nothing to everything."""
    memory = MemoryFloor(DEVICES)
    assert _live(postgres) == _live(memory)
    some: tuple[frozenset[str], ...] = (frozenset(), frozenset({"t1-1"}), frozenset({"t2-1", "x"}))
    for rounds, tables, flags in product(some, ((), ("T1",), ("T2", "x")), range(4)):
        needs = Needs(
            rounds=rounds,
            tables=frozenset(tables),
            contested_rounds=rounds if flags == 1 else frozenset(),
            awards=frozenset({"t1-1/1"}) if flags == 2 else frozenset(),
            awards_of_rounds=rounds if flags == 3 else frozenset(),
            meters=frozenset({"B"}) if flags == 2 else frozenset(),
            all_systems=flags == 1,
            undecided=flags == 3,
            last_rounds=flags == 2,
            messages=frozenset({"device:t1:1:1", "device:t1:1:9"}),
            devices=frozenset({"t1"}) if flags else frozenset(),
        )
        assert postgres.load(needs) == memory.load(needs), needs


def test_what_grows_with_every_round_is_found_by_its_index(
    postgres: PostgresFloor, database_url: str
) -> None:
    """Where there is a way by an index, PostgreSQL is told to take it: what it reads from end to
    end here it would read so after a million rounds too."""
    _live(postgres)
    rounds = frozenset({"t1-1", "t2-1"})
    needs = Needs(
        tables=frozenset({"T1"}),
        rounds=rounds,
        awards=frozenset({"t1-1/1"}),
        awards_of_rounds=rounds,
        contested_rounds=rounds,
        history_of_rounds=rounds,
        messages=frozenset({"device:t1:1:1"}),
        devices=frozenset({"t1"}),
        last_rounds=True,
    )
    with psycopg.connect(database_url) as connection:
        connection.execute("SET LOCAL enable_seqscan = off")
        assert load_floor(connection, needs).floor.rounds.keys() == rounds | {"t1-3"}
        scanned = connection.execute(
            "SELECT relname FROM pg_stat_xact_user_tables WHERE seq_scan > 0"
        ).fetchall()
    assert {name for (name,) in scanned} <= {"floor", "gaming_table", "meter"}


def test_what_is_stored_is_read(store: Store) -> None:
    _live(store)
    [again] = Door(store, SteppedClock()).step([register(1)])
    assert again.status is Status.REPLAYED


def _overtaken(store: Store, other: Submission) -> Callable[[Loaded], Write]:
    """A decision during which another server keeps something."""

    def decide(loaded: Loaded) -> Write:
        write = Write(loaded)
        fold = Door(_Given(write), SteppedClock())
        [answer] = fold.step([register(3)])
        assert answer.status is Status.ANSWERED
        assert Door(store, SteppedClock()).step([other])[0].status is Status.ANSWERED
        return write

    return decide


class _Given:
    """Lets a door decide about what was read, and catches what it would write."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        del needs, locking
        decided = decide(self._write.read)
        for name in Write.__slots__:
            setattr(self._write, name, getattr(decided, name))
        return True


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(register(3, "T2", "t2"), id="the meter moved"),
        pytest.param(register(3), id="the device was heard elsewhere"),
    ],
)
def test_a_stale_write_keeps_nothing(store: Store, other: Submission) -> None:
    door = Door(store, SteppedClock())
    for batch in DAY[:3]:
        door.step([one for one in batch if one.key.text != register(3).key.text])
    heard = [dealers("t2", 2, commands.RecordOutcome("t2-1"))]
    assert door.step(heard)[0].status is Status.REPLAYED
    needs = Needs(
        tables=frozenset({"T1"}),
        rounds=frozenset({"t1-3"}),
        messages=frozenset({register(3).key.text}),
        devices=frozenset({"t1"}),
    )
    assert not store.attempt(needs, _overtaken(store, other), locking=False)
    [kept] = door.step([register(3)])
    assert kept.status is (Status.REPLAYED if other.key.device_id == "t1" else Status.ANSWERED)
