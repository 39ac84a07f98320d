"""The outbox's file: SQLite as Python brings it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table_agent.ports import DiskFailed, DiskFull, Row, Value

_WAIT_SECONDS = 5.0


class SqliteDisk:
    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            path.chmod(0o600)
            self._keep_name()
        except (OSError, sqlite3.Error) as error:
            raise DiskFailed(str(error)) from None

    def rows(self, sql: str, *values: Value) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            raise (DiskFull if full else DiskFailed)(str(error)) from None
        except sqlite3.Error as error:
            raise DiskFailed(str(error)) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.rows("BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.rows("ROLLBACK")
            raise

    def free_bytes(self) -> int:
        left = os.statvfs(self._folder)
        return left.f_bavail * left.f_frsize

    def close(self) -> None:
        self._connection.close()

    def _keep_name(self) -> None:
        """SQLite flushes what is in the file; that the folder has the file is ours to flush."""
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
