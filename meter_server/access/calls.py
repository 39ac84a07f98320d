"""Calling somebody of a rank to a table: one tap there, a line with its seconds on the floor."""

from meter_server.access import consoles
from meter_server.access.consoles import Console
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied, Kind
from meter_server.storage import calls
from meter_server.storage.calls import Call
from meter_server.storage.database import Connection
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


def waiting(desk: Desk) -> list[Call]:
    with desk.database.connection() as connection:
        return calls.waiting(connection)


def come(desk: Desk, call_id: int, by: Account) -> None:
    """Somebody of the rank is on the way; the table sees who, and nobody else goes too."""
    with desk.database.connection() as connection:
        _for_rank(connection, call_id, by)
        if not calls.come(connection, call_id, by=by.number, now=desk.now()):
            raise Denied(
                Kind.ALREADY_EXISTS,
                "Somebody else is coming already.",
                remedy="Look at the calls again.",
            )


def answer(desk: Desk, call_id: int, by: Account) -> None:
    """Somebody of the rank has been there."""
    with desk.database.connection() as connection:
        _for_rank(connection, call_id, by)
    _end(desk, call_id, None, by.number)


def withdraw(desk: Desk, console: Console, call_id: int) -> None:
    """At the table itself: who was called is there, or is not needed any more."""
    _end(desk, call_id, console.table_id, None)


def _for_rank(connection: Connection, call_id: int, by: Account) -> None:
    found = calls.find(connection, call_id)
    if found is None:
        raise _over(call_id)
    if by.role.level is None or by.role.level < found.level:
        raise Denied(
            Kind.NOT_AUTHORISED,
            f"Table {found.table_id} called a {found.role_title} (or above).",
            remedy=f"Leave it to a {found.role_title}.",
        )


def _end(desk: Desk, call_id: int, table_id: str | None, by: str | None) -> None:
    with desk.database.connection() as connection:
        ended = calls.end(connection, call_id, table_id=table_id, ended_by=by, now=desk.now())
    if not ended:
        raise _over(call_id)


def _over(call_id: int) -> Denied:
    return Denied(Kind.UNKNOWN, f"No call {call_id} is waiting.", remedy="Look at the calls again.")
