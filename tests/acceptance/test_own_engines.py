"""Engines that the operator names are used, and none of that kind is started."""

from dataclasses import replace

import psycopg
import pytest
import redis

from tests.acceptance.house import House

pytestmark = pytest.mark.timeout(400)


def test_named_engines_are_used_and_none_is_started(
    house: House, database_url: str, redis_url: str
) -> None:
    own = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
    with replace(house, extra=own).make("run") as run:
        run.wait_until_running(30)
        assert house.is_ready()
        assert not [stray for stray in house.strays() if "postgres" in stray or "redis" in stray]
        with psycopg.connect(database_url) as connection:
            assert connection.execute("SELECT to_regclass('heartbeat')").fetchone() != (None,)
        with redis.Redis.from_url(redis_url) as client:
            assert client.dbsize() > 0


def test_one_named_engine_leaves_the_other_embedded(house: House, redis_url: str) -> None:
    with replace(house, extra={"REDIS_URL": redis_url}).make("run") as run:
        run.wait_until_running(30)
        assert house.is_ready()
        assert house.has_row("first run")
        assert not [stray for stray in house.strays() if "redis" in stray]
