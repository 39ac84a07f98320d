"""Calling somebody of a rank to a table: one tap there, a line with its seconds on the floor."""

from meter_server.access import consoles
from meter_server.access.consoles import Console
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied, Kind
from meter_server.storage import calls
from meter_server.storage.calls import Call
from meter_server.storage.staff import Account


def call(desk: Desk, console: Console, role_key: str, reason: str) -> Call:
    person = consoles.signed_on(desk, console.device_id)
    with desk.database.connection() as connection:
        if role_key not in calls.ranks(connection):
            raise Denied(
                Kind.UNKNOWN, f"There is no rank {role_key}.", remedy="Call one of the ladder."
            )
        return calls.call(
            connection,
            table_id=console.table_id,
            device_id=console.device_id,
            role_key=role_key,
            reason=reason,
            called_by=None if person is None else person.number,
            now=desk.now(),
        )


def waiting(desk: Desk, table_id: str | None = None) -> list[Call]:
    with desk.database.connection() as connection:
        return calls.waiting(connection, table_id)


def answer(desk: Desk, call_id: int, by: Account) -> None:
    """Somebody of the floor has gone there."""
    _end(desk, call_id, None, by.number)


def withdraw(desk: Desk, console: Console, call_id: int) -> None:
    """At the table itself: who was called is there, or is not needed any more."""
    _end(desk, call_id, console.table_id, None)


def _end(desk: Desk, call_id: int, table_id: str | None, by: str | None) -> None:
    with desk.database.connection() as connection:
        ended = calls.end(connection, call_id, table_id=table_id, ended_by=by, now=desk.now())
    if not ended:
        raise Denied(
            Kind.UNKNOWN, f"No call {call_id} is waiting.", remedy="Look at the calls again."
        )
