"""Screens: paired by the code they show, given a role, replaced when one fails, removed."""

from collections.abc import Callable
from datetime import timedelta

from meter_server.access import audit, permissions
from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.contract.displays import Asking, Role
from meter_server.storage import floor_lists, screens
from meter_server.storage.database import Connection
from meter_server.storage.screens import Screen
from meter_server.storage.staff import Account

CODE_LIFE = timedelta(minutes=10)


def offer(connection: Connection, desk: Desk, gateway_id: str, asking: list[Asking]) -> None:
    """Remember the codes that screens of a gateway show; one that is taken is not given twice."""
    now = desk.now()
    screens.forget_pairings(connection, now)
    taken = screens.codes_taken(connection, [one.code for one in asking], now)
    for one in asking:
        token = bytes.fromhex(one.token)
        if taken.get(one.code, token) == token:
            screens.offer_pairing(connection, one.code, token, gateway_id, now + CODE_LIFE)


def pair(desk: Desk, origin: Origin, by: Account, screen_id: str, code: str, role: Role) -> Screen:
    """The screen that shows this code gets a name and a role."""

    def paired(connection: Connection) -> None:
        _check_role(connection, role)
        token = _token(connection, desk, code)
        put = screens.put(
            connection,
            screen_id,
            token,
            role.layout,
            role.table,
            list(role.meters),
            by=by.number,
            now=desk.now(),
        )
        if not put:
            raise Denied(
                Kind.ALREADY_EXISTS,
                f"There is a screen {screen_id} already.",
                remedy="Choose another name, or replace that screen.",
            )

    return _change(desk, origin, by, "pair", screen_id, paired, is_new=True)


def replace(desk: Desk, origin: Origin, by: Account, screen_id: str, code: str) -> Screen:
    """Another screen takes the name and the role of one that failed."""

    def replaced(connection: Connection) -> None:
        screens.replace(
            connection, screen_id, _token(connection, desk, code), by.number, desk.now()
        )

    return _change(desk, origin, by, "replace", screen_id, replaced)


def assign(desk: Desk, origin: Origin, by: Account, screen_id: str, role: Role) -> Screen:
    def assigned(connection: Connection) -> None:
        _check_role(connection, role)
        screens.assign(connection, screen_id, role.layout, role.table, list(role.meters))

    return _change(desk, origin, by, "assign", screen_id, assigned)


def remove(desk: Desk, origin: Origin, by: Account, screen_id: str) -> Screen:
    """It shows a code again; the proof of what it displayed is kept."""

    def removed(connection: Connection) -> None:
        screens.remove(connection, screen_id, desk.now())

    return _change(desk, origin, by, "remove", screen_id, removed)


def find(connection: Connection, screen_id: str) -> Screen:
    found = screens.find(connection, screen_id)
    if found is None:
        raise Denied(Kind.UNKNOWN, f"There is no screen {screen_id}.", remedy="Look at the list.")
    return found


def _change(
    desk: Desk,
    origin: Origin,
    by: Account,
    action: str,
    screen_id: str,
    change: Callable[[Connection], None],
    *,
    is_new: bool = False,
) -> Screen:
    """Allowed, done and told in one transaction; gives the screen as it is then, or was."""
    with audit.watched(
        desk, origin, f"screen:{action}", person=by.number, subject=screen_id
    ) as deed:
        permissions.require(by, Permission.ENROL_DEVICES)
        with desk.database.transaction() as connection:
            before = None if is_new else find(connection, screen_id)
            change(connection)
            after = screens.find(connection, screen_id)
            deed.done(connection, before=_told(before), after=_told(after))
            found = after or before
            assert found is not None  # noqa: S101 - it was there before, or is now
            return found


def _token(connection: Connection, desk: Desk, code: str) -> bytes:
    token = screens.use_pairing(connection, code.upper(), desk.now())
    if token is None:
        raise Denied(
            Kind.UNKNOWN,
            f"No screen shows the code {code.upper()} now.",
            remedy="Read it from the screen again.",
        )
    return token


def _check_role(connection: Connection, role: Role) -> None:
    if role.table is not None and not floor_lists.tables(connection, only=role.table):
        raise Denied(Kind.UNKNOWN, f"There is no table {role.table}.", remedy="See the tables.")
    for meter in role.meters:
        if not floor_lists.systems(connection, only=meter):
            raise Denied(Kind.UNKNOWN, f"There is no system {meter}.", remedy="See the systems.")


def _told(screen: Screen | None) -> audit.Json | None:
    if screen is None:
        return None
    return {"layout": screen.layout, "table": screen.table_id, "meters": screen.meters}
