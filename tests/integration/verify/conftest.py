"""One lived floor for all tests of the verifier: they look at it, and undo what they change."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
from psycopg import sql
from redis import Redis as Client

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from meter_server.clock import SteadyClock
from meter_server.contract.signing_keys import read_signing_key
from meter_server.storage.database import Database
from meter_server.watching.checkpoint_log import CheckpointLog
from meter_server.watching.checkpointer import Checkpointer
from tests.counts import FULL
from tests.integration import programs
from tests.integration.office import office
from tests.integration.verify.lived import Lived, live
from tests.integration.verify.tried import Tried, write_page


@pytest.fixture(scope="package")
def lived(
    engines: tuple[Postgres, Redis], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lived]:
    """The server has stopped: the books stand still, and a last checkpoint covers all of them."""
    postgres, redis = engines
    with Client.from_url(redis.url) as counters:
        counters.flushall()  # the sign-ins of other modules' people do not count here
    name, folder = f"lived_{uuid4().hex}", tmp_path_factory.mktemp("lived")
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        env = programs.environment(postgres.url(database=name), redis.url)
        try:
            with office(env, folder / "server.log") as opened:
                played = live(opened, folder, folder / "checkpoints", Random(1))  # noqa: S311
            _make_checkpoint(played, folder / "signing-key")
            yield played
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


def _make_checkpoint(played: Lived, key: Path) -> None:
    """As the server would within a minute."""
    signer = read_signing_key(key.read_text(encoding="utf-8"))
    database = Database(played.database_url, connections_min=1, connections_max=1, wait_seconds=10)
    database.open()
    try:
        log = CheckpointLog(played.log, signer.verifier)
        Checkpointer(database, SteadyClock(), signer, log).step()
    finally:
        database.close()


@pytest.fixture(scope="package")
def tried() -> Iterator[Tried]:
    """What was changed and found; a full run leaves a page of it."""
    found = Tried()
    yield found
    if FULL:
        write_page(found)
