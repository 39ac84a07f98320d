"""Notices as a list."""

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


def names(connection: Connection, state: str | None, after: str, rows: int) -> list[str]:
    found = queries.notices_page(connection, state=state, after=after, page_rows=rows)
    return [name for (name,) in found]
