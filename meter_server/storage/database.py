"""Connections to PostgreSQL: pooled, checked each time one is taken, troubles told in sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from meter_server.storage.errors import StorageError
from meter_server.storage.queries import queries

# A commit that waits for a standby's flush ("on") or replay ("remote_apply") survives a power cut
# and a fail-over; "local", "remote_write" and "off" can lose what was acknowledged.
_DURABLE_COMMIT = {"on", "remote_apply"}


class Database:
    """A pool of autocommit connections: each statement commits by itself unless a block says so."""

    def __init__(
        self, url: str, *, connections_min: int, connections_max: int, wait_seconds: float
    ) -> None:
        self.address = describe(url)
        self._wait_seconds = wait_seconds
        self._complaint: str | None = None
        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True, "connect_timeout": 3},
            min_size=connections_min,
            max_size=connections_max,
            timeout=wait_seconds,
            # After an outage the next request tries anew instead of waiting out a long back-off.
            reconnect_timeout=1,
            check=self._check,
            open=False,
        )

    def open(self) -> None:
        """Start connecting in the background; must be called after any fork."""
        self._pool.open(wait=False)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection that works and whose commits are durable; errors become sentences."""
        try:
            with self.raw_connection() as connection:
                yield connection
        except psycopg.Error as error:
            raise StorageError(
                f"The database {self.address} failed: {first_line(error)}"
            ) from error

    @contextmanager
    def raw_connection(self) -> Iterator[Connection]:
        """The same, for who must tell the driver's errors apart."""
        try:
            with self._pool.connection() as connection:
                yield connection
        except PoolTimeout as error:
            sentence = self._complaint or (
                f"The database {self.address} gave no connection within {self._wait_seconds:g} s: "
                "start PostgreSQL or correct DATABASE_URL."
            )
            raise StorageError(sentence) from error

    def _check(self, connection: Connection) -> None:
        commit, fsync = queries.durability(connection)
        if commit in _DURABLE_COMMIT and fsync == "on":
            self._complaint = None
            return
        self._complaint = (
            f"The database {self.address} could lose what it acknowledges (synchronous_commit is "
            f"{commit}, fsync is {fsync}): switch both on."
        )
        raise StorageError(self._complaint)


def describe(url: str) -> str:
    """Name a database without its password."""
    parts = conninfo_to_dict(url)
    host, port = parts.get("host") or "localhost", parts.get("port") or 5432
    place = host if str(host).startswith("/") else f"{host}:{port}"
    return f"'{parts.get('dbname')}' at {place}"


def first_line(error: psycopg.Error) -> str:
    """Keep the driver's first line; the rest is position marks and hints for programmers."""
    lines = str(error).strip().splitlines()
    return (lines[0].rstrip(".") if lines else type(error).__name__) + "."
