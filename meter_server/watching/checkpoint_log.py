"""The log of checkpoints outside the database: note after note, flushed, only ever added to.

Whoever can rewrite the database shall not be able to rewrite this. Several processes of one machine
share it, and whoever holds it is alone with it.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_END, FileIO
from pathlib import Path

import structlog

from meter_server.contract.checkpoints import Checkpoint, open_checkpoint, split_notes
from meter_server.contract.notes import NOTE_BYTES_MAX, NotTrusted, VerifierKey

_log = structlog.get_logger(__name__)

_SIGNATURE = re.compile("^— [^\n]*\n".encode(), re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CheckpointLog:
    """One file for each signing key: another key is another history."""

    file: Path
    key: VerifierKey

    @contextmanager
    def held(self) -> Iterator["HeldLog"]:
        """Ours alone until the end of the block, however it ends."""
        with FileIO(str(self.file), "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield HeldLog(file, self.key)


class HeldLog:
    """The log while nobody else reads or writes it."""

    def __init__(self, file: FileIO, key: VerifierKey) -> None:
        self._file = file
        self._key = key

    def last(self) -> Checkpoint | None:
        """The last checkpoint that was shown; NotTrusted where the log is not as we wrote it."""
        size = self._file.seek(0, SEEK_END)
        start = max(0, size - 2 * NOTE_BYTES_MAX)
        self._file.seek(start)
        tail = self._file.read()
        ends = [found.end() for found in _SIGNATURE.finditer(tail)]
        if start and not ends:
            raise NotTrusted("The log of checkpoints ends in something else than checkpoints.")
        end = ends[-1] if ends else 0
        if end < len(tail):
            # A power cut leaves the beginning of a note, which nobody has relied on yet.
            _log.warning("an unfinished checkpoint is cut off the log", bytes=len(tail) - end)
            self._file.truncate(start + end)
        notes = split_notes(tail[:end].decode(errors="replace"))
        return open_checkpoint(notes[-1], [self._key]) if notes else None

    def append(self, notes: Iterable[str]) -> None:
        """On the disk when this returns."""
        for note in notes:
            self._file.write(note.encode())
        os.fsync(self._file.fileno())
