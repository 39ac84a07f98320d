"""What a command would do now: loaded and decided as at the door, and nothing of it stored."""

from typing import Protocol

from meter_server.domain.commands import Command
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted
from meter_server.domain.people import Context
from meter_server.domain.refusals import Refusal
from meter_server.recording.needs import needs_of
from meter_server.storage.rows import Loaded, Needs


class Books(Protocol):
    """The durable floor, to be read only."""

    def load(self, needs: Needs) -> Loaded: ...


def tried(books: Books, command: Command, context: Context) -> Accepted | Refusal:
    return decide(books.load(needs_of(command)).floor, command, context)
