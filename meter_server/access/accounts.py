"""People's accounts: the first ones, one's own secrets, cards, and who is kept out.

Whatever gives somebody more than they have takes two persons: see ``staffing``.
"""

from meter_server.access import attempts, audit, choosing, permissions
from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.hashing import card_digest, code_digest
from meter_server.access.permissions import ADMINISTRATOR, Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from meter_server.storage import sessions, staff
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account, AccountState, Role


def create_first(
    desk: Desk, origin: Origin, number: str, name: str, role_key: str, password: str
) -> Account:
    """Managers first, the administrator last: from then on accounts take two persons."""
    with audit.watched(desk, origin, "account:create-first", subject=number) as deed:
        choosing.require_number(number)
        choosing.require_name(name)
        choosing.require_password(password, number)
        hashed = desk.hasher.hash(password)
        with desk.database.transaction() as connection:
            staff.wait_for_other_first_accounts(connection)
            role = require_role(connection, role_key)
            _require_still_first(connection, role)
            if not staff.add(connection, number, name, role.key, desk.now()):
                raise taken(number)
            staff.change_password(connection, number, hashed)
            deed.done(connection, after={"name": name, "role": role.key})
            return find_in(connection, number)


def accept_invitation(
    desk: Desk, origin: Origin, number: str, code: str, password: str, pin: str | None
) -> Account:
    """The person chooses the secrets; whoever knew older ones is signed out."""
    with audit.watched(desk, origin, "account:accept-invitation") as deed:
        choosing.require_number(number)
        choosing.require_password(password, number)
        if pin is not None:
            choosing.require_pin(pin, number)
        attempts.listen(deed, number)
        hashed = desk.hasher.hash(password)
        pin_hashed = None if pin is None else desk.hasher.hash(pin)
        with desk.database.transaction() as connection:
            if not staff.use_invitation(connection, number, code_digest(code), desk.now()):
                raise Denied(
                    Kind.WRONG_CREDENTIALS,
                    "That is not an invitation that is still open.",
                    remedy="Type the number and the code again, or ask for a new invitation.",
                )
            staff.change_password(connection, number, hashed)
            if pin_hashed is not None:
                staff.change_pin(connection, number, pin_hashed)
            sessions.end_all_of(connection, number)
            deed.subject = number
            deed.done(connection)
            account = find_in(connection, number)
        attempts.succeeded(deed, account)
        return account


def change_password(
    desk: Desk, origin: Origin, account: Account, password: str, new_password: str
) -> None:
    """One's own, with the old one; every session ends."""
    number = account.number
    with audit.watched(
        desk, origin, "account:change-password", person=number, subject=number
    ) as deed:
        choosing.require_password(new_password, number)
        attempts.prove_password(deed, number, password)
        hashed = desk.hasher.hash(new_password)
        with desk.database.transaction() as connection:
            staff.change_password(connection, number, hashed)
            sessions.end_all_of(connection, number)
            deed.done(connection)


def change_pin(desk: Desk, origin: Origin, account: Account, password: str, pin: str) -> None:
    """One's own, with the password."""
    number = account.number
    with audit.watched(desk, origin, "account:change-pin", person=number, subject=number) as deed:
        choosing.require_pin(pin, number)
        attempts.prove_password(deed, number, password)
        hashed = desk.hasher.hash(pin)
        with desk.database.transaction() as connection:
            staff.change_pin(connection, number, hashed)
            deed.done(connection)


def assign_card(desk: Desk, origin: Origin, by: Account, number: str, card: str) -> None:
    """A card stands for the number, never for the PIN; its former holder has none now."""
    with audit.watched(
        desk, origin, "account:assign-card", person=by.number, subject=number
    ) as deed:
        permissions.require(by, Permission.MANAGE_STAFF)
        digest = card_digest(require_card_key(desk), card)
        with desk.database.transaction() as connection:
            lock_in(connection, number)
            staff.change_card(connection, number, digest)
            deed.done(connection)


def suspend(desk: Desk, origin: Origin, by: Account, number: str) -> Account:
    """One person is enough to keep somebody out at once; letting them in again takes two."""
    with audit.watched(desk, origin, "account:suspend", person=by.number, subject=number) as deed:
        permissions.require(by, Permission.MANAGE_STAFF)
        if number == by.number:
            raise own_account()
        with desk.database.transaction() as connection:
            account = lock_in(connection, number)
            staff.change_state(connection, number, AccountState.SUSPENDED)
            sessions.end_all_of(connection, number)
            deed.done(
                connection,
                before={"state": account.state},
                after={"state": AccountState.SUSPENDED},
            )
            return find_in(connection, number)


def find(desk: Desk, number: str) -> Account:
    with desk.database.connection() as connection:
        return find_in(connection, number)


def page(desk: Desk, after: str = "", rows: int = 50) -> list[Account]:
    with desk.database.connection() as connection:
        return staff.page(connection, after, rows)


def roles(desk: Desk) -> list[Role]:
    with desk.database.connection() as connection:
        return staff.roles(connection)


def find_in(connection: Connection, number: str) -> Account:
    return _require_known(staff.find(connection, number), number)


def lock_in(connection: Connection, number: str) -> Account:
    return _require_known(staff.lock(connection, number), number)


def require_role(connection: Connection, key: str) -> Role:
    role = staff.find_role(connection, key)
    if role is None:
        known = ", ".join(role.key for role in staff.roles(connection))
        raise Denied(Kind.UNKNOWN, f"There is no role {key}.", remedy=f"Choose one of {known}.")
    return role


def require_card_key(desk: Desk) -> bytes:
    if desk.card_key is None:
        raise Denied(
            Kind.CARDS_NOT_SET_UP,
            "Staff cards are not set up.",
            remedy="Use the staff number, or have METER_SERVER_CARD_KEY set on the server.",
        )
    return desk.card_key


def taken(number: str) -> Denied:
    return Denied(
        Kind.ALREADY_EXISTS,
        f"The staff number {number} is somebody's already.",
        remedy="Choose another number.",
    )


def own_account() -> Denied:
    return Denied(
        Kind.OWN_ACCOUNT,
        "Nobody decides about their own account.",
        remedy="Ask a colleague who may.",
    )


def _require_known(account: Account | None, number: str) -> Account:
    if account is None:
        raise Denied(
            Kind.UNKNOWN, f"Nobody has the staff number {number}.", remedy="Look at the list."
        )
    return account


def _require_still_first(connection: Connection, role: Role) -> None:
    if staff.role_is_held(connection, ADMINISTRATOR):
        raise Denied(
            Kind.FIRST_ACCOUNTS_EXIST,
            "There is an administrator already, so new accounts take two persons.",
            remedy="Let the administrator propose the account and a colleague confirm it.",
        )
    second = ASSISTANT_CASINO_MANAGER
    if role.key == ADMINISTRATOR and not staff.rank_is_held(connection, second.level):
        raise Denied(
            Kind.SECOND_PERSON_NEEDED,
            "An administrator alone could have nothing confirmed.",
            remedy=f"Create a {second.title} first, with --role {second.key}.",
        )
