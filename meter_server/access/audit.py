"""The audit trail: one line for every action and for every refusal."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied
from meter_server.domain.refusals import Refused
from meter_server.storage import audit_trail
from meter_server.storage.audit_trail import Line
from meter_server.storage.database import Connection

Json = dict[str, Any]


class Source(StrEnum):
    """The first word of a tag."""

    OFFICE = "office"
    """A person over pages, API or command line."""
    CONSOLE = "console"
    """An enrolled device."""
    MACHINE = "machine"
    """The server's own machine."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from."""

    source: Source
    address: str
    request_id: str
    device_id: str | None = None

    @property
    def place(self) -> str:
        """Where somebody who guesses is: at a console, or at an address."""
        return f"device {self.device_id}" if self.device_id else f"address {self.address}"


@dataclass(slots=True)
class Deed:
    """What is being done, until its line is written."""

    desk: Desk
    origin: Origin
    what: str
    """``subject:action``, in the words of the person who does it: ``session:sign-in``."""
    person: str | None = None
    subject: str | None = None
    is_told: bool = False

    def done(
        self, connection: Connection, *, before: Json | None = None, after: Json | None = None
    ) -> None:
        """Write the line in the transaction of the change itself: both or neither."""
        self._tell(connection, before, after, None)

    def refused(self, reason: str) -> None:
        with self.desk.database.connection() as connection:
            self._tell(connection, None, None, reason)

    def _tell(
        self, connection: Connection, before: Json | None, after: Json | None, reason: str | None
    ) -> None:
        line = Line(
            at=self.desk.now(),
            tag=f"{self.origin.source}:{self.what}",
            person=self.person,
            device=self.origin.device_id,
            address=self.origin.address,
            request_id=self.origin.request_id,
            subject=self.subject,
            before=before,
            after=after,
            reason=reason,
        )
        audit_trail.add(connection, line)
        self.is_told = True


@contextmanager
def watched(
    desk: Desk,
    origin: Origin,
    what: str,
    *,
    person: str | None = None,
    subject: str | None = None,
) -> Iterator[Deed]:
    """Tell a refusal that ends the block; what succeeds must have told itself with ``done``."""
    deed = Deed(desk, origin, what, person, subject)
    try:
        yield deed
    except (Denied, Refused) as refused:
        deed.refused(refused.refusal.sentence)
        raise
    if not deed.is_told:
        raise RuntimeError(f"{what} was done without a line in the audit trail")
