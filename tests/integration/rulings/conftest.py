"""One server with its floor for all tests of a module; each test has tables of its own."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from psycopg import sql
from redis import Redis as Client

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from tests.integration.inside import office_inside
from tests.integration.office import Office


@pytest.fixture(scope="module")
def office(
    engines: tuple[Postgres, Redis], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Office]:
    postgres, redis = engines
    with Client.from_url(redis.url) as counters:
        counters.flushall()  # what other modules' people asked for does not count here
    name = f"rulings_{uuid4().hex}"
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        try:
            url, folder = postgres.url(database=name), tmp_path_factory.mktemp("office")
            with office_inside(url, redis.url, folder) as opened:
                yield opened
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))
