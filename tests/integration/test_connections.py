"""Connections from the pool: what was ended is not lent, also when it was good a moment ago."""

import psycopg

from meter_server.storage.database import Database
from tests.integration.programs import wait_until


def test_a_connection_that_was_just_ended_is_not_lent(database_url: str) -> None:
    pool = Database(database_url, connections_min=1, connections_max=1, wait_seconds=30)
    pool.open()
    try:
        with pool.connection() as connection:
            ended = connection.info.backend_pid
        with psycopg.connect(database_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (ended,))
            wait_until(lambda: not _lives(other, ended), 30)
        with pool.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
            assert connection.info.backend_pid != ended
    finally:
        pool.close()


def _lives(connection: psycopg.Connection, pid: int) -> bool:
    found = connection.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", (pid,))
    return found.fetchone() is not None
