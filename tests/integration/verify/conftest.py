"""One lived floor for all tests of the verifier: they look at it, and undo what they change."""

from collections.abc import Iterator
from random import Random
from uuid import uuid4

import pytest
from psycopg import sql
from redis import Redis as Client

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from tests.counts import FULL
from tests.integration import programs
from tests.integration.office import office
from tests.integration.verify.lived import Lived, live
from tests.integration.verify.tried import Tried, write_page


@pytest.fixture(scope="package")
def lived(
    engines: tuple[Postgres, Redis], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lived]:
    """The server has stopped: the books stand still, and its last checkpoint is written."""
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
            yield played
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


@pytest.fixture(scope="package")
def tried() -> Iterator[Tried]:
    """What was changed and found; a full run leaves a page of it."""
    found = Tried()
    yield found
    if FULL:
        write_page(found)
