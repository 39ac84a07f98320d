"""A supervisor's word for one action at a table, given from a device of their own.

The console asks and waits; whoever has the rank sees it, proves who they are by their PIN, and the
console finds a grant, as if the PIN had been entered there. A word that is not used is over soon.
"""

from datetime import timedelta
from enum import StrEnum

from meter_server.access import attempts, audit, consoles, permissions
from meter_server.access.audit import Origin
from meter_server.access.consoles import Console
from meter_server.access.desk import Desk
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.rulebook.authority import Action, Grant, grant_for
from meter_server.storage import approvals, floor_lists, grants
from meter_server.storage.approvals import Approval
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account

WAITING_MAX = timedelta(minutes=3)


class Standing(StrEnum):
    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    OVER = "over"
    """Nobody answered in time, or the console asked for something else since."""


def ask(desk: Desk, origin: Origin, console: Console, action: Action) -> int:
    """Wait for the rank that this action takes at a table of this game."""
    with (
        audit.watched(desk, origin, "approval:ask", subject=console.table_id) as deed,
        desk.database.transaction() as connection,
    ):
        person = grants.signed_on(connection, console.device_id)
        deed.person = None if person is None else person.number
        needed = _needed(connection, console.table_id, action)
        now = desk.now()
        asked = approvals.ask(
            connection,
            device_id=console.device_id,
            table_id=console.table_id,
            action=action,
            role_key=needed.rank.key,
            asked_by=deed.person,
            now=now,
            expires_at=now + WAITING_MAX,
        )
        deed.done(connection, after={"action": action, "rank": needed.rank.key})
    return asked


def own(desk: Desk, console: Console, approval_id: int) -> Approval:
    """What became of what this console asked."""
    with desk.database.transaction() as connection:
        return _own(connection, console, approval_id)


def withdraw(desk: Desk, console: Console, approval_id: int) -> None:
    """It was approved at the console, or is not wanted any more."""
    with desk.database.transaction() as connection:
        _own(connection, console, approval_id)
        approvals.end(connection, approval_id, by=None, grant_id=None, now=desk.now())


def waiting(desk: Desk) -> list[Approval]:
    with desk.database.connection() as connection:
        return approvals.waiting(connection, desk.now())


def standing(desk: Desk, approval: Approval) -> Standing:
    if approval.grant_id is not None:
        return Standing.APPROVED
    if approval.ended_by is not None:
        return Standing.REFUSED
    is_open = approval.ended_at is None and approval.expires_at > desk.now()
    return Standing.WAITING if is_open else Standing.OVER


def approve(desk: Desk, origin: Origin, by: Account, approval_id: int, pin: str) -> None:
    """Once more the person's own PIN; the grant is the console's."""
    with audit.watched(
        desk, origin, "approval:give", person=by.number, subject=str(approval_id)
    ) as deed:
        account = attempts.prove_pin(deed, by.number, pin)
        permissions.require(account, Permission.AUTHORISE_AT_A_CONSOLE)
        with desk.database.transaction() as connection:
            asked = _waiting(desk, connection, approval_id)
            action = Action(asked.action)
            _require_rank(account, _needed(connection, asked.table_id, action))
            console = Console(asked.device_id, asked.table_id)
            grant = consoles.give_grant(desk, connection, console, account, action)
            approvals.end(
                connection, asked.id, by=account.number, grant_id=grant.id, now=grant.given_at
            )
            deed.done(
                connection,
                after={"table": asked.table_id, "action": action, "role": account.role.key},
            )


def refuse(desk: Desk, origin: Origin, by: Account, approval_id: int) -> None:
    with (
        audit.watched(
            desk, origin, "approval:refuse", person=by.number, subject=str(approval_id)
        ) as deed,
        desk.database.transaction() as connection,
    ):
        asked = _waiting(desk, connection, approval_id)
        _require_rank(by, _needed(connection, asked.table_id, Action(asked.action)))
        approvals.end(connection, asked.id, by=by.number, grant_id=None, now=desk.now())
        deed.done(connection, after={"table": asked.table_id, "action": asked.action})


def _needed(connection: Connection, table_id: str, action: Action) -> Grant:
    [found] = floor_lists.tables(connection, only=table_id)
    game = found.table.game
    needed = grant_for(action, game.key)
    if needed is None:
        raise Denied(
            Kind.UNKNOWN,
            f"{game.title} provides for no {action}.",
            remedy="Ask for an action of its own game.",
        )
    return needed


def _require_rank(account: Account, needed: Grant) -> None:
    level = account.role.level
    if level is None or level < needed.rank.level:
        raise Denied(
            Kind.NOT_AUTHORISED,
            f"This takes a {needed.rank.title} (or above).",
            rule=needed.rule,
            remedy=f"Leave it to a {needed.rank.title}.",
        )


def _own(connection: Connection, console: Console, approval_id: int) -> Approval:
    found = approvals.locked(connection, approval_id)
    if found is None or found.device_id != console.device_id:
        raise Denied(
            Kind.UNKNOWN, f"This console asked for no approval {approval_id}.", remedy="Ask again."
        )
    return found


def _waiting(desk: Desk, connection: Connection, approval_id: int) -> Approval:
    found = approvals.locked(connection, approval_id)
    if found is None or standing(desk, found) is not Standing.WAITING:
        raise Denied(
            Kind.UNKNOWN,
            f"No approval {approval_id} is waiting.",
            remedy="Look at the list again.",
        )
    return found
