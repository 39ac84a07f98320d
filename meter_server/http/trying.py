"""What a command would do now, for whoever is about to propose it. Nothing is recorded."""

from meter_server.domain.commands import Command
from meter_server.domain.floor import Accepted
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Refusal
from meter_server.domain.rulebook.authority import AREA_MANAGER, ASSISTANT_CASINO_MANAGER
from meter_server.http.api.people import Staff
from meter_server.recording.trial import tried
from meter_server.storage.floor import PostgresFloor


def tried_for(caller: Staff, command: Command) -> Accepted | Refusal:
    """As two persons who may would have it: the ranks of those who really do count when they do."""
    desk = caller.parts.desk
    context = Context(
        at_us=desk.clock.now_us(),
        actor=Person(caller.account.number, ASSISTANT_CASINO_MANAGER),
        second=Person("a-second-person", AREA_MANAGER),
        readings=caller.parts.readings,
    )
    return tried(PostgresFloor(desk.database), command, context)
