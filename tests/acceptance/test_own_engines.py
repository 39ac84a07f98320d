"""Engines that the operator names are used, and none of that kind is started."""

import os
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
import redis

from tests.acceptance.house import House

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def neighbour(user_house: House) -> Iterator[House]:
    """Another running house of the same person, whose engines are lent."""
    with user_house.make("run") as run:
        run.wait_until_running()
        yield user_house


@pytest.fixture
def guest(user_house: House) -> House:
    home = user_house.person.home / "guest"
    home.mkdir(exist_ok=True)
    os.chown(home, user_house.person.uid, user_house.person.gid)
    person = replace(user_house.person, home=home)
    return House(user_house.clone, person, user_house.python, user_house.path)


def test_named_engines_are_used_and_none_is_started(neighbour: House, guest: House) -> None:
    with neighbour.postgres.connect() as connection:
        connection.execute("DROP DATABASE IF EXISTS lent")
        connection.execute("CREATE DATABASE lent OWNER prize_meter")
    lent = neighbour.postgres.url(database="lent")
    named = {"DATABASE_URL": lent, "REDIS_URL": neighbour.redis_url.removesuffix("0") + "1"}
    with replace(guest, extra=named).make("run") as run:
        run.wait_until_running()
        assert guest.is_ready()
        assert not (guest.data / "postgres").exists()
        assert not (guest.data / "redis").exists()
        with psycopg.connect(lent) as connection:
            assert connection.execute("SELECT to_regclass('heartbeat')").fetchone() != (None,)
        with redis.Redis.from_url(named["REDIS_URL"]) as client:
            assert client.dbsize() > 0


def test_one_named_engine_leaves_the_other_embedded(neighbour: House, guest: House) -> None:
    with replace(guest, extra={"REDIS_URL": neighbour.redis_url}).make("run") as run:
        run.wait_until_running()
        assert guest.is_ready()
        guest.write_row("in an embedded PostgreSQL")
        assert not (guest.data / "redis").exists()


def test_reset_does_not_touch_a_database_of_yours(neighbour: House, guest: House) -> None:
    named = replace(guest, extra={"DATABASE_URL": neighbour.postgres.url()})
    assert "empty that database yourself" in named.refused("run", "RESET=1")
    assert neighbour.is_ready()
