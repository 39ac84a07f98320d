"""How far the books have been checked, and who is checking them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg.types.json import Jsonb

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


def find(connection: Connection, subject: str) -> tuple[int, dict[str, Any]] | None:
    found: tuple[int, dict[str, Any]] | None = queries.find_mark(connection, subject=subject)
    return found


def write(connection: Connection, subject: str, place: int, state: dict[str, Any]) -> None:
    queries.write_mark(connection, subject=subject, place=place, state=Jsonb(state))


@contextmanager
def alone(connection: Connection, lock: int) -> Iterator[bool]:
    """Whether nobody else holds this lock; ours until the end of the block if so."""
    is_ours = bool(queries.try_to_check_alone(connection, lock=lock))
    try:
        yield is_ours
    finally:
        if is_ours and not connection.broken:
            queries.let_others_check(connection, lock=lock)
