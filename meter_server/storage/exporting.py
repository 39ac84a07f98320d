"""Rows for an export: one consistent snapshot, read a few rows at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import IsolationLevel

from meter_server.storage.database import Connection, connect, translated
from meter_server.storage.queries import queries

_ROWS_AT_ONCE = 500

Row = tuple[Any, ...]


@contextmanager
def snapshot(url: str) -> Iterator[Connection]:
    """A connection to which the database stands still, and which cannot change it."""
    with translated(url), connect(url) as connection:
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        with connection.transaction():
            yield connection


@dataclass(frozen=True, slots=True)
class Rows:
    """Everything that is recorded: a part of a chain proves nothing about the rest."""

    connection: Connection

    def moment(self) -> datetime:
        at: datetime = queries.export_moment(self.connection)
        return at

    def keys(self) -> Iterator[Row]:
        return self._stream(queries.export_keys)

    def numbers(self) -> Iterator[Row]:
        return self._stream(queries.export_numbers)

    def meters(self) -> list[Row]:
        return list(queries.export_meters(self.connection))

    def checkpoints(self) -> Iterator[Row]:
        return self._stream(queries.export_checkpoints)

    def idle_requests(self) -> Iterator[Row]:
        return self._stream(queries.export_idle_requests)

    def messages_without_entries(self) -> Iterator[Row]:
        return self._stream(queries.export_messages_without_entries)

    def messages_of_several_meters(self) -> set[str]:
        rows = self._stream(queries.export_messages_of_several_meters)
        return {message for (message,) in rows}

    def entries(self, meter_id: str) -> Iterator[Row]:
        return self._stream(queries.export_entries, meter=meter_id)

    def _stream(self, query: Any, **more: str) -> Iterator[Row]:
        """By a cursor on the server: neither side ever holds all rows."""
        with self.connection.cursor(name=query.__name__) as cursor:
            cursor.itersize = _ROWS_AT_ONCE
            cursor.execute(query.sql, more)
            yield from cursor
