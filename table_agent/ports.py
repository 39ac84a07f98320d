"""What the outbox and its sender need of the world, so that a test can be the world.

Time, the network and the disk are asked through these and through nothing else: the same code runs
against a simulated network, and on a disk that loses its power.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from meter_server.contract.device.link import Json
from table_agent.link import Answered

Value = str | int | None
Row = tuple[Any, ...]


class Clock(Protocol):
    def instant(self) -> str:
        """The table's own time, as messages carry it: evidence, never an order (A-38)."""

    def seconds(self) -> float:
        """Counts evenly, whatever happens to the wall clock."""


class Server(Protocol):
    """The meter server over the network. NotReached: nobody knows whether it heard us. Refused: it
    did, and said no."""

    def send(self, messages: Sequence[Json]) -> list[Answered]:
        """Answers in order, each with a receipt that was checked; there may be fewer."""

    def beat(self, receipt: str | None) -> int:
        """Show that we live, and the last receipt we hold; gives the last number it has of us."""

    def table(self) -> Json:
        """How the table stands: ``meter_server.contract.tables.TableTold``."""


class Disk(Protocol):
    """A SQLite database."""

    def rows(self, sql: str, *values: Value) -> list[Row]:
        """Run one statement. DiskFailed where the disk is full or fails."""

    def transaction(self) -> AbstractContextManager[None]:
        """All of it is on the disk when this ends, or nothing is. DiskFailed as above."""

    def free_bytes(self) -> int:
        """What can still be written."""


class DiskFailed(Exception):  # noqa: N818 - what a disk says
    """The disk fails, and what it holds is not known; the text is its own."""


class DiskFull(DiskFailed):
    """Nothing was written, and what was there stands."""
