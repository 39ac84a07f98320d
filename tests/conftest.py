"""Real engines for every test that asks: one PostgreSQL and one Redis for each test process."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import redis
from psycopg import sql

from deploy.demo.accounts import engine_account
from deploy.demo.folder import DataFolder
from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from deploy.demo.supervisor import Supervisor


@pytest.fixture(scope="session")
def engines() -> Iterator[tuple[Postgres, Redis]]:
    """In a folder of their own that root's engine user can enter too."""
    path = Path(tempfile.mkdtemp(prefix="prize-meter-tests-"))
    path.chmod(0o711)
    folder = DataFolder(path, engine_account())
    folder.create()
    postgres, server = Postgres(folder), Redis(folder)
    supervisor = Supervisor(folder.processes, print)
    try:
        with supervisor.in_charge():
            supervisor.start(postgres.prepare(), server.prepare())
            postgres.ensure_database()
            yield postgres, server
    finally:
        shutil.rmtree(path)


@pytest.fixture
def database_url(engines: tuple[Postgres, Redis]) -> Iterator[str]:
    """A fresh, empty database of this test alone."""
    postgres, _ = engines
    name = f"test_{uuid4().hex}"
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        yield postgres.url(database=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def redis_url(engines: tuple[Postgres, Redis]) -> Iterator[str]:
    """An empty Redis; the tests of one process take turns with it."""
    _, server = engines
    with redis.Redis.from_url(server.url) as client:
        client.flushall()
        yield server.url
        client.flushall()
