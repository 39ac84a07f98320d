"""Checkpoints on a real database: every message is listed once, and whoever has the log notices."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from deploy.demo.postgres import SUPERUSER, Postgres
from deploy.demo.redis import Redis
from deploy.verify.jackpot_verify import read_key
from meter_server.clock import SteadyClock
from meter_server.contract.checkpoints import Checkpoint, first_previous, sign_checkpoint
from meter_server.contract.notes import Signer
from meter_server.contract.signing_keys import new_signing_key, read_signing_key
from meter_server.storage.database import Database
from meter_server.watching.checkpoint_log import CheckpointLog
from meter_server.watching.checkpointer import Checkpointer, HistoryLost
from tests.integration.programs import Environment, migrate
from tests.integration.recording.test_scenarios import DoorHouse
from tests.integration.verify.exports import exported, sentences, verified
from tests.integration.verify.tampers import refusal
from tests.scenarios.language import all_scenarios
from tests.scenarios.runner import play

STORY = "settlement: A royal takes the rounded meter (wsop)"
NO_ENTRY = (
    "WITH one AS (INSERT INTO message VALUES (%(key)s, sha256(''), now(), '{}') RETURNING key)"
    " INSERT INTO uncovered_message SELECT key FROM one"
)
"""As it is recorded, by somebody whom no trigger holds back or helps."""


@pytest.fixture
def signer() -> Signer:
    return read_signing_key(new_signing_key("casino.example/prize-meter"))


@pytest.fixture
def checkpointer(env: Environment, signer: Signer, tmp_path: Path) -> Iterator[Checkpointer]:
    """Something happened, of which there is no checkpoint yet."""
    migrate(env)
    [story] = [one for one in all_scenarios() if one.name == STORY]
    database = Database(env["DATABASE_URL"], connections_min=1, connections_max=3, wait_seconds=10)
    database.open()
    play(story, DoorHouse(database))
    log = CheckpointLog(tmp_path / "log", signer.verifier)
    yield Checkpointer(database, SteadyClock(), signer, log)
    database.close()


@pytest.fixture
def connect(env: Environment, engines: tuple[Postgres, Redis]) -> Callable[[], psycopg.Connection]:
    """As somebody whom no trigger holds back."""
    url = engines[0].url(SUPERUSER, str(conninfo_to_dict(env["DATABASE_URL"])["dbname"]))
    return lambda: psycopg.connect(url, options="-c session_replication_role=replica")


def _listed(connection: psycopg.Connection) -> list[list[str]]:
    """The keys in the list of each checkpoint."""
    found = connection.execute("SELECT messages FROM checkpoint ORDER BY number").fetchall()
    connection.commit()
    return [[line.split(" ")[0] for line in messages.splitlines()] for (messages,) in found]


def test_every_message_is_listed_and_a_message_alone_is_reason_enough(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection]
) -> None:
    with connect() as connection:
        recorded = connection.execute('SELECT key FROM message ORDER BY key COLLATE "C"')
        keys = [key for (key,) in recorded.fetchall()]
        assert len(keys) > 3
        assert [checkpointer.step(), checkpointer.step()] == [1, 1]
        connection.execute(NO_ENTRY, {"key": "staff:4001:no-entry"})
        connection.commit()
        assert [checkpointer.step(), checkpointer.step()] == [2, 2]
        assert _listed(connection) == [keys, ["staff:4001:no-entry"]]


def test_a_message_that_commits_late_is_in_a_later_list(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection]
) -> None:
    """However they overtake each other, none is left out and none is listed twice."""
    with connect() as late, connect() as early:
        late.execute(NO_ENTRY, {"key": "staff:4001:a-late"})
        early.execute(NO_ENTRY, {"key": "staff:4001:b-early"})
        early.commit()
        assert checkpointer.step() == 1
        late.commit()
        assert checkpointer.step() == 2
        first, second = _listed(early)
    assert "staff:4001:b-early" in first
    assert second == ["staff:4001:a-late"]


def test_a_chain_that_began_with_version_1_goes_on_and_all_of_it_verifies(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection], signer: Signer
) -> None:
    """The first list has every message there is."""
    origin = signer.verifier.name
    old = Checkpoint(
        origin=origin,
        number=1,
        at="2026-01-01T00:00:00.000000Z",
        previous=first_previous(origin),
        messages=None,
        heads=(),
    )
    with connect() as connection:
        added = "INSERT INTO checkpoint (number, at, note) VALUES (1, %s, %s)"
        connection.execute(added, (old.at, sign_checkpoint(old, signer)))
        connection.commit()
        assert checkpointer.step() == 2
        recorded = connection.execute("SELECT count(*) FROM message").fetchone()
        lines = exported(connection, origin)
    verifier = verified(lines, (read_key(str(signer.verifier)),))
    assert sentences(verifier.findings) == []
    assert recorded == (verifier.counts["message"],)
    assert verifier.messages.not_listed == 0


def test_a_message_that_is_put_in_with_an_old_time_is_told(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection], signer: Signer
) -> None:
    """The server lists what it finds; that no earlier list had it gives it away."""
    key, at = "staff:4001:invented", "2020-01-01T00:00:00.000000Z"
    with connect() as connection:
        assert checkpointer.step() == 1
        connection.execute(NO_ENTRY, {"key": key})
        told = {"at": at, "answer": refusal(key, at).encode(), "key": key}
        changed = "UPDATE message SET at = %(at)s, answer = %(answer)s WHERE key = %(key)s"
        connection.execute(changed, told)
        connection.commit()
        assert checkpointer.step() == 2
        lines = exported(connection, signer.verifier.name)
    [found] = verified(lines, (read_key(str(signer.verifier)),)).findings
    assert key in found.where
    assert "no checkpoint until" in found.what


def test_what_is_not_signed_waits_on(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection]
) -> None:
    """A checkpoint that could not be made takes nothing out of the next one's list."""
    with connect() as connection:
        connection.execute("ALTER TABLE checkpoint ADD CONSTRAINT none CHECK (false)")
        connection.commit()
        with pytest.raises(Exception, match="none"):
            checkpointer.step()
        connection.execute("ALTER TABLE checkpoint DROP CONSTRAINT none")
        connection.commit()
        assert checkpointer.step() == 1
        [first] = _listed(connection)
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (len(first),)


def test_bytes_that_are_no_text_stop_no_checkpoint(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection]
) -> None:
    """Somebody put them there before a checkpoint: it signs what it finds, and wagers go on."""
    with connect() as connection:
        connection.execute("UPDATE message SET answer = answer || '\\xff'")
        connection.commit()
        assert checkpointer.step() == 1
        [first] = _listed(connection)
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (len(first),)


CHANGES = {
    "restored from an older copy": (
        "DELETE FROM checkpoint WHERE number = 1",
        "is not in the database as it was shown",
    ),
    "with another list": (
        "UPDATE checkpoint SET messages = replace(messages, ':1 ', ':7 ')",
        "another list of messages than it signs",
    ),
    "without the list": (
        "UPDATE checkpoint SET messages = NULL",
        "another list of messages than it signs",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_database_that_is_not_what_the_log_was_shown_is_told(
    checkpointer: Checkpointer, connect: Callable[[], psycopg.Connection], change: str
) -> None:
    assert checkpointer.step() == 1
    statement, sentence = CHANGES[change]
    with connect() as connection:
        connection.execute(statement.encode())
    with pytest.raises(HistoryLost, match=sentence):
        checkpointer.step()
