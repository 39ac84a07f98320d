"""Connections to PostgreSQL that work and keep what they commit; its troubles told in sentences."""

import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import orjson
import psycopg
from psycopg import Connection as Connection  # for rooms that hand one on
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import set_json_loads
from psycopg_pool import ConnectionPool, PoolTimeout

from meter_server.storage.errors import StorageError
from meter_server.storage.queries import queries

_CONNECT_SECONDS = 3

set_json_loads(orjson.loads)  # whole floors are read with every batch: faster than the standard's

# A commit that waits for a standby's flush ("on") or replay ("remote_apply") survives a power cut
# and a fail-over; "local", "remote_write" and "off" can lose what was acknowledged.
_DURABLE_COMMIT = {"on", "remote_apply"}
_ASKED_EVERY_SECONDS = 1.0


class Database:
    """Autocommit connections: each statement commits by itself unless a block says otherwise."""

    def __init__(
        self, url: str, *, connections_min: int, connections_max: int, wait_seconds: float
    ) -> None:
        self.address = describe(url)
        self._url = url
        self._asked: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()
        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True, "connect_timeout": _CONNECT_SECONDS},
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
        """Lend a connection that works and whose commits are durable."""
        with translated(self._url), self._pool.connection() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Lend a connection on which everything is kept together at the end, or nothing."""
        with self.connection() as connection, connection.transaction():
            yield connection

    def _check(self, connection: Connection) -> None:
        """Each time one is taken. A question costs a round trip; whether the other end has hung up
        is known without one."""
        now = time.monotonic()
        if now - self._asked.get(connection, 0.0) < _ASKED_EVERY_SECONDS and _is_quiet(connection):
            return
        _require_durable(connection)
        self._asked[connection] = now

    @contextmanager
    def direct_connection(self) -> Iterator[Connection]:
        """Connect outside the pool, to ask about the database itself: failing tells at once why."""
        with translated(self._url), connect(self._url) as connection:
            _require_durable(connection)
            yield connection


def connect(url: str) -> Connection:
    """Connect once."""
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        raise StorageError(
            f"The database {describe(url)} did not let us in ({first_line(error)}): "
            "start PostgreSQL or correct DATABASE_URL."
        ) from error


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except PoolTimeout as error:
        raise StorageError(
            f"The database {describe(url)} gave no connection in time: see 'meter-server status'."
        ) from error
    except psycopg.Error as error:
        raise StorageError(f"The database {describe(url)} failed ({first_line(error)}).") from error


def describe(url: str) -> str:
    """Name a database without its password."""
    parts = conninfo_to_dict(url)
    host, port = parts.get("host") or "localhost", parts.get("port") or 5432
    place = host if str(host).startswith("/") else f"{host}:{port}"
    return f"'{parts.get('dbname')}' at {place}"


def first_line(error: psycopg.Error) -> str:
    """Keep what the driver says first; the rest is position marks and hints for programmers."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _require_durable(connection: Connection) -> None:
    commit, fsync = queries.durability(connection)
    if commit not in _DURABLE_COMMIT or fsync != "on":
        raise StorageError(
            f"The database could lose what it acknowledges (synchronous_commit is {commit}, "
            f"fsync is {fsync}): switch both on."
        )


def _is_quiet(connection: Connection) -> bool:
    """A server that ends a connection says so on it; on one that waits it says nothing."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return not waiting.poll(0)
