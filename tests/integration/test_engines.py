"""The engines that all other tests stand on are real, durable and private."""

from urllib.parse import urlsplit

import psycopg
import pytest
import redis


def test_postgres_keeps_what_it_acknowledged(database_url: str) -> None:
    durable = {
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
    }
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(durable),)
        )
        assert dict(found.fetchall()) == durable


def test_postgres_listens_to_no_network_and_asks_for_the_password(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    password = urlsplit(database_url).password
    assert password is not None
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(database_url.replace(password, "wrong"))


def test_each_test_has_a_database_of_its_own_without_being_superuser(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchone() == (0,)
        super_user = connection.execute(
            "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        )
        assert super_user.fetchone() == (False,)


def test_redis_appends_to_disk_and_asks_for_the_password(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert client.dbsize() == 0
        assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
    port = urlsplit(redis_url).port
    assert port is not None
    with redis.Redis(port=port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
