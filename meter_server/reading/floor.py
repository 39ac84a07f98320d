"""The systems and the tables as they stand now, for people who run the floor."""

from meter_server.storage import floor_lists
from meter_server.storage.database import Database
from meter_server.storage.floor_lists import SystemRow, TableRow


def systems(database: Database, after: str, rows: int) -> list[SystemRow]:
    with database.connection() as connection:
        return floor_lists.systems(connection, after=after, rows=rows)


def system(database: Database, system_id: str) -> SystemRow | None:
    with database.connection() as connection:
        return next(iter(floor_lists.systems(connection, only=system_id)), None)


def tables(database: Database, after: str, rows: int) -> list[TableRow]:
    with database.connection() as connection:
        return floor_lists.tables(connection, after=after, rows=rows)


def table(database: Database, table_id: str) -> TableRow | None:
    with database.connection() as connection:
        return next(iter(floor_lists.tables(connection, only=table_id)), None)
