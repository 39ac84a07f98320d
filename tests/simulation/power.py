"""A disk that loses its power: SQLite on files in memory, every operation of which is written down.

Whatever was flushed stays. Of what was written since, any sectors of 512 bytes may have reached
the disk and any may not, in any order: that is what a power cut leaves. One life of an outbox is
written down once and then cut at any of its operations.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import apsw

from table_agent.ports import DiskFailed, Row, Value

SECTOR = 512
_FILE = "/outbox"


@dataclass(frozen=True)
class Wrote:
    name: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Truncated:
    name: str
    size: int


@dataclass(frozen=True)
class Synced:
    name: str


@dataclass(frozen=True)
class Deleted:
    name: str


Operation = Wrote | Truncated | Synced | Deleted


@dataclass
class Platter:
    """Files as a running machine sees them, and everything that was done to them."""

    files: dict[str, bytearray] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)


class MemoryVFS(apsw.VFS):
    def __init__(self, name: str, platter: Platter) -> None:
        self.name = name
        self.platter = platter
        super().__init__(name, base="")

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: ARG002, N802 - SQLite's names
        return pathname in self.platter.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: ARG002, N802
        self.platter.files.pop(filename, None)
        self.platter.operations.append(Deleted(filename))

    def xOpen(self, name: Any, flags: list[int]) -> "MemoryFile":  # noqa: N802
        flags[1] = flags[0]
        filename = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self.platter.files.setdefault(filename, bytearray())
        return MemoryFile(self.platter, filename)


class MemoryFile(apsw.VFSFile):
    """What SQLite asks of a file; locks are of no matter to one connection."""

    def __new__(cls, platter: Platter, name: str) -> "MemoryFile":  # noqa: ARG004
        return super().__new__(cls)

    def __init__(self, platter: Platter, name: str) -> None:
        # Not the base's: this file is nowhere but here.
        self._platter = platter
        self._name = name

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self._platter.files[self._name][offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        data = bytes(data)
        _write(self._platter.files[self._name], offset, data)
        self._platter.operations.append(Wrote(self._name, offset, data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        del self._platter.files[self._name][size:]
        self._platter.operations.append(Truncated(self._name, size))

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        self._platter.operations.append(Synced(self._name))

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._platter.files[self._name])

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xLock(self, level: int) -> None: ...  # noqa: N802

    def xUnlock(self, level: int) -> None: ...  # noqa: N802

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, op: int, ptr: int) -> bool:  # noqa: ARG002, N802
        return False

    def xClose(self) -> None: ...  # noqa: N802


class PowerDisk:
    """The outbox's disk on such files. ``synchronous`` lets a control lie about the setting."""

    def __init__(self, platter: Platter, checkpoint_pages: int, synchronous: str = "FULL") -> None:
        self._vfs = MemoryVFS(f"power-{id(platter)}", platter)
        self._synchronous = synchronous
        self._connection = apsw.Connection(_FILE, vfs=self._vfs.name)
        # Without shared memory SQLite keeps its index of the log in the process.
        self.rows("PRAGMA locking_mode = EXCLUSIVE")
        self.rows(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")

    def rows(self, sql: str, *values: Value) -> list[Row]:
        if sql == "PRAGMA synchronous = FULL":
            sql = f"PRAGMA synchronous = {self._synchronous}"
        elif sql == "PRAGMA synchronous":
            return [(2,)]
        try:
            return list(self._connection.execute(sql, values))
        except apsw.Error as error:
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
        return 1 << 40

    def close(self) -> None:
        self._connection.close()
        self._vfs.unregister()


def after_power_cut(operations: list[Operation], chance: Random) -> Platter:
    """The disk as a machine finds it that lost its power after these operations."""
    flushed: dict[str, bytearray] = {}
    pending: dict[str, list[Operation]] = {}
    for operation in operations:
        name = operation.name
        if isinstance(operation, Deleted):
            flushed.pop(name, None)
            pending.pop(name, None)
        elif isinstance(operation, Synced):
            _apply(flushed.setdefault(name, bytearray()), pending.pop(name, []))
        else:
            pending.setdefault(name, []).append(operation)
    for name, left in pending.items():
        _apply(flushed.setdefault(name, bytearray()), _torn(left, chance))
    return Platter(files=flushed)


def _torn(operations: list[Operation], chance: Random) -> list[Operation]:
    """What of it reached the disk: each sector for itself, and the later ones not after the
    earlier ones."""
    # Now and then everything or nothing, as of a disk that had time, or none.
    kept = chance.choice([0.0, 0.5, 0.5, 0.9, 1.0])
    reached: list[Operation] = []
    for operation in operations:
        if isinstance(operation, Wrote):
            reached += [piece for piece in _sectors(operation) if chance.random() < kept]
        elif chance.random() < kept:
            reached.append(operation)
    return reached


def _sectors(wrote: Wrote) -> Iterator[Wrote]:
    end = wrote.offset + len(wrote.data)
    start = wrote.offset
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Wrote(wrote.name, start, wrote.data[start - wrote.offset : stop - wrote.offset])
        start = stop


def _apply(file: bytearray, operations: list[Operation]) -> None:
    for operation in operations:
        if isinstance(operation, Wrote):
            _write(file, operation.offset, operation.data)
        elif isinstance(operation, Truncated):
            del file[operation.size :]


def _write(file: bytearray, offset: int, data: bytes) -> None:
    if len(file) < offset:
        file.extend(bytes(offset - len(file)))
    file[offset : offset + len(data)] = data
