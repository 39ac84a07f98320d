"""The workers' signs of life."""

from datetime import timedelta
from typing import NamedTuple

from psycopg import Connection

from meter_server.storage.queries import queries

PERIOD = timedelta(seconds=10)


class Heartbeat(NamedTuple):
    """When a worker last did its periodic task, by the database's clock."""

    worker: str
    age: timedelta


def record(connection: Connection, worker: str) -> None:
    """Note that this worker is alive now."""
    queries.record_heartbeat(connection, worker=worker)


def latest(connection: Connection) -> Heartbeat | None:
    """Find the most recent sign of life of any worker."""
    row = queries.latest_heartbeat(connection)
    return Heartbeat(*row) if row else None
