"""An answer means durable: where nobody can know that, nobody is told it.

PostgreSQL waits for a standby that does not exist, so every commit that wrote something hangs, and
one that wrote nothing does not. A wait that is cancelled looks like a commit; it is none.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from meter_server.domain import commands
from meter_server.domain.rulebook.terms import Terms
from meter_server.recording.door import Answer, Door, Status, Submission, Unavailable
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.rows import Loaded, Needs, OutcomeUnknown, Write
from tests.integration.programs import wait_until
from tests.integration.recording.test_door import (
    SteppedClock,
    database,
    door,
    managers,
    register,
)

__all__ = ("database", "door")

SECONDS_MAX = 20
UNANSWERED_SECONDS = 0.5
ATTEMPTS = 8
"""After so many the door gives up and asks for the message again."""

staff_message = managers("b", commands.OpenSystem("B", Terms(1, 20_000, 100), ()))


@pytest.fixture
def postgres(engines: tuple[Postgres, Redis]) -> Postgres:
    return engines[0]


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@contextmanager
def absent_standby(postgres: Postgres) -> Iterator[psycopg.Connection]:
    """Every commit waits; at the end, whatever still waits is let go."""
    with postgres.connect() as connection:
        try:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            connection.execute("SELECT pg_reload_conf()")
            wait_until(lambda: _names(postgres) == "nobody", SECONDS_MAX)
            yield connection
        finally:
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")


def _names(postgres: Postgres) -> str:
    with postgres.connect() as connection:
        [names] = connection.execute("SHOW synchronous_standby_names").fetchone() or ("",)
        return str(names)


def waits(connection: psycopg.Connection) -> list[tuple[int, object]]:
    """Whose commit waits for the standby, and since when its transaction runs."""
    return connection.execute(
        "SELECT pid, xact_start FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    ).fetchall()


def cancel(connection: psycopg.Connection, function: str, times: int) -> None:
    """End so many waits, each of them a new one."""
    ended: list[tuple[int, object]] = []
    for _ in range(times):

        def end_a_new_wait() -> bool:
            new = [wait for wait in waits(connection) if wait not in ended]
            for pid, _ in new:
                connection.execute(f"SELECT {function}(%s)".encode(), (pid,))
            ended.extend(new)
            return bool(new)

        wait_until(end_a_new_wait, SECONDS_MAX)


def require_unanswered(step: "Future[list[Answer]]", connection: psycopg.Connection) -> None:
    wait_until(lambda: bool(waits(connection)), SECONDS_MAX)
    time.sleep(UNANSWERED_SECONDS)
    assert not step.done()


@pytest.mark.parametrize("function", ["pg_cancel_backend", "pg_terminate_backend"])
def test_a_cancelled_wait_for_the_standby_is_no_answer(
    postgres: Postgres,
    door: Door,
    threads: ThreadPoolExecutor,
    database_url: str,
    function: str,
) -> None:
    with absent_standby(postgres) as connection:
        step = threads.submit(door.step, [register(1)])
        cancel(connection, function, times=3)
        require_unanswered(step, connection)
    [answer] = step.result(SECONDS_MAX)
    # What the first attempt left behind was read again, and answered once it was durable.
    assert answer.status is Status.REPLAYED
    assert _credits(database_url) == 1


def test_whoever_is_cancelled_every_time_is_asked_to_send_it_again(
    postgres: Postgres, door: Door, threads: ThreadPoolExecutor, database_url: str
) -> None:
    with absent_standby(postgres) as connection:
        step = threads.submit(door.step, [register(1)])
        cancel(connection, "pg_cancel_backend", times=ATTEMPTS)
        with pytest.raises(Unavailable, match="send it again"):
            step.result(SECONDS_MAX)
    [again] = door.step([register(1)])
    assert again.status is Status.REPLAYED
    assert _credits(database_url) == 1


@pytest.mark.parametrize(
    "submission",
    [pytest.param(register(1), id="of a device"), pytest.param(staff_message, id="of a person")],
)
def test_a_repeat_waits_for_the_standby_too(
    postgres: Postgres, door: Door, threads: ThreadPoolExecutor, submission: Submission
) -> None:
    [first] = door.step([submission])
    assert first.status is Status.ANSWERED
    with absent_standby(postgres) as connection:
        step = threads.submit(door.step, [submission])
        require_unanswered(step, connection)
    [again] = step.result(SECONDS_MAX)
    assert (again.status, again.body) == (Status.REPLAYED, first.body)


def test_a_question_does_not_wait_for_the_standby(postgres: Postgres, database_url: str) -> None:
    """Why a repeat must not be answered by one: it would be answered on the cut-off side too."""
    with absent_standby(postgres), psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


class LostReply:
    """Stores, and loses the answer once; or loses the way there."""

    def __init__(self, store: PostgresFloor, *, stores: bool) -> None:
        self._store = store
        self._stores = stores
        self._is_lost = False

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        if self._is_lost:
            return self._store.attempt(needs, decide, locking=locking)
        self._is_lost = True
        if self._stores:
            assert self._store.attempt(needs, decide, locking=locking)
        raise OutcomeUnknown("the connection was lost")


@pytest.mark.parametrize(
    ("stores", "status"),
    [
        pytest.param(True, Status.REPLAYED, id="after the commit"),
        pytest.param(False, Status.ANSWERED, id="before the commit"),
    ],
)
@pytest.mark.usefixtures("door")
def test_an_unknown_outcome_is_read_again(
    database: Database, database_url: str, stores: bool, status: Status
) -> None:
    lost = Door(LostReply(PostgresFloor(database), stores=stores), SteppedClock())
    [answer] = lost.step([register(1)])
    assert answer.status is status
    assert _credits(database_url) == 1


def _credits(database_url: str) -> int:
    with psycopg.connect(database_url) as connection:
        [found] = connection.execute(
            "SELECT count(*) FROM entry WHERE kind = 'credit'"
        ).fetchone() or (0,)
        return int(found)
