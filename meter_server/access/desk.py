"""What every use case of this room needs, joined once when a program starts."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from meter_server.access.hashing import Hasher
from meter_server.storage.database import Database


class Clock(Protocol):
    """The server's time: it never steps while the process lives."""

    def now_us(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Desk:
    database: Database
    clock: Clock
    hasher: Hasher
    session_idle: timedelta
    """A session that is not used for so long has ended."""
    session_max: timedelta
    """No session is longer, however busy."""
    card_key: bytes | None = None
    """Makes the digests of staff cards; without it cards cannot be used."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self.clock.now_us())
