"""The check of the books, on a real database and by a real worker: what it finds, and where."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from celery import Celery
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from deploy.demo.postgres import SUPERUSER, Postgres
from deploy.demo.redis import Redis
from meter_server.clock import SteadyClock
from meter_server.contract.notes import Signer
from meter_server.contract.signing_keys import new_signing_key, read_signing_key
from meter_server.storage import violations
from meter_server.storage.database import Database
from meter_server.watching.book_check import BookCheck
from meter_server.watching.checkpoint_log import CheckpointLog
from meter_server.watching.checkpointer import Checkpointer
from tests.integration.programs import Environment, migrate, wait_until
from tests.integration.recording.test_scenarios import DoorHouse
from tests.integration.test_tasks import working
from tests.scenarios.language import all_scenarios
from tests.scenarios.runner import play

STORY = "settlement: A royal takes the rounded meter (wsop)"
"""Entries 1 to 5 of the meter S5: opening, credit, settlement, prize, reset."""
METER = "S5"


@pytest.fixture
def database(env: Environment) -> Iterator[Database]:
    migrate(env)
    opened = Database(env["DATABASE_URL"], connections_min=1, connections_max=3, wait_seconds=10)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def signer() -> Signer:
    return read_signing_key(new_signing_key("casino.example/prize-meter"))


@pytest.fixture
def books(database: Database, signer: Signer, tmp_path: Path) -> BookCheck:
    """Something happened, and a checkpoint was made of it."""
    [story] = [one for one in all_scenarios() if one.name == STORY]
    play(story, DoorHouse(database))
    log = CheckpointLog(tmp_path / "log", signer.verifier)
    assert Checkpointer(database, SteadyClock(), signer, log).step() == 1
    return BookCheck(database, lambda: datetime.now(UTC), [signer.verifier])


@pytest.fixture
def superuser(
    books: BookCheck, env: Environment, engines: tuple[Postgres, Redis]
) -> Iterator[psycopg.Connection]:
    """Nothing holds them back: no trigger, and no check of an entry."""
    assert _found(books) == []
    name = str(conninfo_to_dict(env["DATABASE_URL"])["dbname"])
    with psycopg.connect(engines[0].url(SUPERUSER, name), autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        found = connection.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = 'entry'::regclass"
        )
        for (constraint,) in found.fetchall():
            drop = sql.SQL("ALTER TABLE entry DROP CONSTRAINT {}")
            connection.execute(drop.format(sql.Identifier(constraint)))
        yield connection


def _found(books: BookCheck) -> list[tuple[str, str, int]]:
    with books.database.connection() as connection:
        found = violations.open_ones(connection, 100)
    return [(one.kind.value, one.subject, one.place) for one in found]


def _mark(books: BookCheck) -> list[tuple[object, ...]]:
    with books.database.connection() as connection:
        return connection.execute("SELECT subject, place FROM check_mark ORDER BY 1").fetchall()


def test_good_books_are_good_however_often_they_are_checked(books: BookCheck) -> None:
    for _ in range(2):
        books.check_new()
        books.check_all()
    assert _found(books) == []
    assert _mark(books) == [("checkpoints", 1), (f"meter {METER}", 5)]


_SEATS = "'\"seats\":[1,2,3]', '\"seats\":[1,2,4]'"
_AMOUNT = "'\"amount\":4876500', '\"amount\":4876501'"
_REHASH = "UPDATE entry SET hash = sha256(previous || body) WHERE seq = 2"


def _bytes(change: str) -> str:
    changed = f"convert_to(replace(convert_from(body, 'UTF8'), {change}), 'UTF8')"
    return f"UPDATE entry SET body = {changed} WHERE seq = 2"  # noqa: S608 - our own words


Change = tuple[list[str], list[tuple[str, str, int]]]
CHANGES: dict[str, Change] = {
    "an amount beside the bytes": (
        ["UPDATE entry SET amount_micros = amount_micros + 1 WHERE seq = 2"],
        [("copy", METER, 2)],
    ),
    "bytes": ([_bytes(_SEATS)], [("chain", METER, 2)]),
    "bytes and their hash": ([_bytes(_SEATS), _REHASH], [("chain", METER, 3)]),
    "an amount and its hash": (
        [_bytes(_AMOUNT), _REHASH],
        [("copy", METER, 2), ("balance", METER, 2), ("floor", METER, 2), ("chain", METER, 3)],
    ),
    "a row away": (
        ["DELETE FROM entry WHERE seq = 3"],
        [("sequence", METER, 4), ("chain", METER, 4)],
    ),
    "the reset away": (
        ["DELETE FROM entry WHERE seq = 5"],
        [("floor", METER, 4), ("meter", METER, 4), ("checkpoint", "checkpoints", 1)],
    ),
    "the meter's row": (["UPDATE meter SET epoch = epoch + 1"], [("meter", METER, 5)]),
    "a checkpoint": (
        ["UPDATE checkpoint SET note = replace(note, 'S5 5', 'S5 4')"],
        [("checkpoint", "checkpoints", 1)],
    ),
    "the list of a checkpoint": (
        ["UPDATE checkpoint SET messages = replace(messages, ':1 ', ':7 ')"],
        [("checkpoint", "checkpoints", 1)],
    ),
    "what a message was answered": (
        ["UPDATE message SET answer = answer || ' '"],
        [("checkpoint", "checkpoints", 1)],
    ),
    "what a message was answered, in bytes that are no text": (
        ["UPDATE message SET answer = answer || '\\xff'"],
        [("checkpoint", "checkpoints", 1)],
    ),
    "when a message was recorded": (
        ["UPDATE message SET at = at + interval '1 second'"],
        [("checkpoint", "checkpoints", 1)],
    ),
}


@pytest.mark.rule("MET-1", "MET-6", "AUD-2")
@pytest.mark.parametrize("check", ["check_new", "check_all"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_within_one_run_and_kept_once(
    books: BookCheck, superuser: psycopg.Connection, change: str, check: str
) -> None:
    statements, expected = CHANGES[change]
    for statement in statements:
        superuser.execute(statement.encode())
    for _ in range(2):
        getattr(books, check)()
    assert sorted(_found(books)) == sorted(expected)


def test_what_changes_after_the_check_is_found_at_night(
    books: BookCheck, superuser: psycopg.Connection
) -> None:
    books.check_new()
    superuser.execute("UPDATE entry SET epoch = 7 WHERE seq = 2")
    books.check_new()
    assert _found(books) == []
    books.check_all()
    assert _found(books) == [("copy", METER, 2)]


def test_messages_that_are_missing_or_in_no_list_are_found_at_night(
    books: BookCheck, superuser: psycopg.Connection
) -> None:
    books.check_new()
    superuser.execute("INSERT INTO message SELECT key || '7', digest, at, answer FROM message")
    books.check_new()
    assert _found(books) == []
    books.check_all()
    assert _found(books) == [("checkpoint", "messages", 0)]
    superuser.execute("UPDATE violation SET settled_at = now()")
    superuser.execute("DELETE FROM message")
    books.check_all()
    expected = [("checkpoint", "checkpoints", 1), ("checkpoint", "messages", 0)]
    assert sorted(_found(books)) == expected


def test_a_journal_that_became_shorter_is_found_by_the_next_minute(
    books: BookCheck, superuser: psycopg.Connection
) -> None:
    books.check_new()
    superuser.execute("DELETE FROM entry WHERE seq >= 4")
    books.check_new()
    assert ("chain", METER, 5) in _found(books)


def test_a_worker_checks_twice_and_after_it_was_killed_midway(
    books: BookCheck, superuser: psycopg.Connection, env: Environment, log: Path
) -> None:
    superuser.execute("UPDATE meter SET epoch = 9")
    env = {**env, "METER_SERVER_TASK_REDELIVERY_SECONDS": "1"}
    with psycopg.connect(env["DATABASE_URL"]) as blocker:
        blocker.execute("LOCK TABLE check_mark IN SHARE MODE")
        with working(env, log) as worker:
            _send(env, "check-new-entries")
            waiting = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
            wait_until(lambda: superuser.execute(waiting.encode()).fetchone() == (True,), 60)
            worker.kill()
            worker.wait()
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
    assert _found(books) == []  # what was found in the unfinished page is gone with it

    with working(env, log):
        wait_until(lambda: _found(books) == [("meter", METER, 5)], 90)
        _send(env, "check-new-entries")
        _send(env, "check-all-entries")
        wait_until(lambda: _mark(books) == [("checkpoints", 1), (f"meter {METER}", 5)], 60)
        wait_until(lambda: log.read_text().count("check-all-entries") > 0, 60)
    assert _found(books) == [("meter", METER, 5)]


def _send(env: Environment, task: str) -> None:
    with Celery(broker=env["REDIS_URL"], set_as_current=False) as celery:
        celery.send_task(task, ignore_result=True)
