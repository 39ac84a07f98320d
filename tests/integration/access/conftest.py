"""A desk on a fresh database, which it enters as the server does: not as the owner."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import psycopg
import pytest
from argon2 import PasswordHasher

from deploy.demo.postgres import SERVER, Postgres
from deploy.demo.redis import Redis
from meter_server.access.desk import Desk
from meter_server.access.hashing import Hasher
from meter_server.storage.database import Database
from meter_server.storage.migrate import migrate
from tests.integration.access.people import House


@dataclass
class StoppedClock:
    at_us: int = 1_800_000_000_000_000

    def now_us(self) -> int:
        return self.at_us

    def advance(self, **time: float) -> None:
        self.at_us += timedelta(**time) // timedelta(microseconds=1)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def server_url(engines: tuple[Postgres, Redis], database_url: str) -> str:
    """The migrated database, for the server's own log-in."""
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        return engines[0].url(SERVER, connection.info.dbname)


@pytest.fixture
def desk(server_url: str, clock: StoppedClock) -> Iterator[Desk]:
    database = Database(server_url, connections_min=1, connections_max=12, wait_seconds=20)
    database.open()
    # The real algorithm at its lowest cost: these tests hash a lot.
    hasher = Hasher(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield Desk(
        database=database,
        clock=clock,
        hasher=hasher,
        session_idle=timedelta(minutes=15),
        session_max=timedelta(hours=12),
        card_key=b"a key for the cards of this test only",
    )
    database.close()


@pytest.fixture
def house(desk: Desk) -> House:
    """With its first two people."""
    return House.founded(desk)
