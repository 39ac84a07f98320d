"""One server and one floor for all tests of a module: they ask, and change little."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from psycopg import sql
from redis import Redis as Client

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from tests.integration import programs
from tests.integration.office import Office
from tests.integration.office import office as open_office


@pytest.fixture(scope="module")
def office(
    engines: tuple[Postgres, Redis], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Office]:
    postgres, redis = engines
    with Client.from_url(redis.url) as counters:
        counters.flushall()  # the sign-ins of other modules' people do not count here
    name = f"office_{uuid4().hex}"
    log: Path = tmp_path_factory.mktemp("office") / "server.log"
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        try:
            env = programs.environment(postgres.url(database=name), redis.url)
            with open_office(env, log) as opened:
                yield opened
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))
