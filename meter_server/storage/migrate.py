"""Bring a database to the schema of this version.

One transaction holds a migration and the note that it was applied, so a crash leaves both or
neither; an advisory lock, which dies with its connection, makes a second run wait for the first.
"""

from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import psycopg
from psycopg import Connection, errors

from meter_server.storage.database import connect, first_line, translated
from meter_server.storage.errors import StorageError
from meter_server.storage.queries import queries

_DIRECTORY = Path(__file__).parent / "migrations"
_LOCK = 0x4D45544552  # "METER": any number that no other program of this database uses
_RETRY_SECONDS = 0.2


class Migration(NamedTuple):
    """One file of ``migrations/``."""

    id: str
    sql: str

    @property
    def sha256(self) -> str:
        """Identify the text, so that a file edited after its release is noticed."""
        return sha256(self.sql.encode()).hexdigest()


def known_migrations() -> list[Migration]:
    """List the migrations of this version, oldest first."""
    files = sorted(_DIRECTORY.glob("*.sql"))
    return [Migration(file.stem, file.read_text(encoding="utf-8")) for file in files]


def applied_migrations(connection: Connection) -> dict[str, str]:
    """Map the id of each migration this database has had to the digest of its text."""
    if not queries.schema_is_tracked(connection):
        return {}
    return dict(queries.applied_migrations(connection))


def migrate(url: str, wait_seconds: float) -> list[str]:
    """Apply what is missing and return its ids; wait for a database that is still starting."""
    with translated(url), _connect(url, wait_seconds) as connection:
        queries.wait_for_other_migrations(connection, lock=_LOCK)
        _require_owner(connection)
        pending = _pending(applied_migrations(connection))
        for migration in pending:
            _apply(connection, migration)
        return [migration.id for migration in pending]


def _require_owner(connection: Connection) -> None:
    """The server's own user may not do this, and should not."""
    try:
        queries.create_schema_migration(connection)
    except errors.InsufficientPrivilege as error:
        raise StorageError(
            f"The database user {connection.info.user} may not change the schema: "
            "set DATABASE_OWNER_URL to log in as the database's owner."
        ) from error


def _pending(applied: dict[str, str]) -> list[Migration]:
    known = known_migrations()
    for migration in known:
        if applied.get(migration.id, migration.sha256) != migration.sha256:
            raise StorageError(
                f"Migration {migration.id} was changed after this database had it: "
                "restore the file and write the change as a new migration."
            )
    return [migration for migration in known if migration.id not in applied]


def _apply(connection: Connection, migration: Migration) -> None:
    try:
        with connection.transaction():
            connection.execute(migration.sql.encode())
            queries.mark_migration(connection, id=migration.id, sha256=migration.sha256)
    except psycopg.Error as error:
        raise StorageError(
            f"Migration {migration.id} failed and left nothing behind ({first_line(error)})."
        ) from error


def _connect(url: str, wait_seconds: float) -> Connection:
    deadline = monotonic() + wait_seconds
    while True:
        try:
            return connect(url)
        except StorageError:
            if monotonic() > deadline:
                raise
            sleep(_RETRY_SECONDS)
