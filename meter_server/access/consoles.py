"""At the table: who stands at a console, and a supervisor's word for one action.

A PIN is never part of a message that is kept; a console brings it here and gets a grant, which
means nothing without the device's own signature.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from meter_server.access import attempts, audit, permissions
from meter_server.access.accounts import require_card_key
from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.hashing import card_digest, new_token
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import DEALER, Action
from meter_server.storage import grants, staff
from meter_server.storage.database import Connection
from meter_server.storage.grants import Grant
from meter_server.storage.staff import Account, AccountState

GRANT_LIFE = timedelta(seconds=60)

_NOBODY = ""  # a card that is nobody's is judged like a number that is nobody's


@dataclass(frozen=True, slots=True)
class Console:
    """An enrolled device at its table; the origin of the request names the same device."""

    device_id: str
    table_id: str


@dataclass(frozen=True, slots=True)
class StaffNumber:
    number: str


@dataclass(frozen=True, slots=True)
class StaffCard:
    card: str


Named = StaffNumber | StaffCard


def sign_on(desk: Desk, origin: Origin, console: Console, named: Named, pin: str) -> Account:
    """Whoever was at the console before is so no longer."""
    with audit.watched(desk, origin, "console:sign-on", subject=console.table_id) as deed:
        account = attempts.prove_pin(deed, number_of(desk, named), pin)
        permissions.require(account, Permission.STAND_AT_A_CONSOLE)
        with desk.database.transaction() as connection:
            before = grants.signed_on(connection, console.device_id)
            grants.sign_on(
                connection, console.device_id, console.table_id, account.number, desk.now()
            )
            deed.done(
                connection,
                before={"signed_on": before.number if before else None},
                after={"signed_on": account.number},
            )
    return account


def sign_off(desk: Desk, origin: Origin, console: Console) -> None:
    with (
        audit.watched(desk, origin, "console:sign-off", subject=console.table_id) as deed,
        desk.database.transaction() as connection,
    ):
        before = grants.signed_on(connection, console.device_id)
        deed.person = before.number if before else None
        grants.sign_on(connection, console.device_id, console.table_id, None, desk.now())
        deed.done(connection, before={"signed_on": deed.person}, after={"signed_on": None})


def signed_on(desk: Desk, device_id: str) -> Account | None:
    """Who is at the console now."""
    with desk.database.connection() as connection:
        account = grants.signed_on(connection, device_id)
    return account if account and account.state is AccountState.ACTIVE else None


def actor(desk: Desk, device_id: str, number: str, here: Account | None) -> Person:
    """The person in whose name a console's message comes, who must have stood there.

    Not necessarily now, as the one who is ``here`` does: what was done before the link broke
    arrives after the next sign-on. But nobody's rank stays behind at a console: whoever stands
    there no longer acts as a Dealer.
    """
    if here is not None and here.number == number:
        return permissions.person_of(here)
    with desk.database.connection() as connection:
        account = grants.has_signed_on(connection, device_id, number)
    if account is None:
        raise Denied(
            Kind.NOT_SIGNED_IN,
            f"{number} has not signed on at this console.",
            remedy="Sign on with card or number and PIN.",
        )
    return Person(permissions.person_of(account).staff_number, DEALER)


def authorise(
    desk: Desk, origin: Origin, console: Console, named: Named, pin: str, action: Action
) -> Grant:
    """Exchange a supervisor's PIN for a single-use grant. Whether the rank suffices at a table of
    this game is the door's to say, when the command comes."""
    with audit.watched(desk, origin, "grant:authorise", subject=console.table_id) as deed:
        account = attempts.prove_pin(deed, number_of(desk, named), pin)
        permissions.require(account, Permission.AUTHORISE_AT_A_CONSOLE)
        with desk.database.transaction() as connection:
            grant = give_grant(desk, connection, console, account, action)
            deed.done(connection, after={"action": action, "role": account.role.key})
    return grant


def give_grant(
    desk: Desk, connection: Connection, console: Console, account: Account, action: Action
) -> Grant:
    now = desk.now()
    grant = Grant(
        id=new_token(),
        account=account,
        device_id=console.device_id,
        table_id=console.table_id,
        action=action,
        given_at=now,
        expires_at=now + GRANT_LIFE,
    )
    grants.give(connection, grant)
    return grant


def use_grant(
    desk: Desk,
    origin: Origin,
    console: Console,
    grant_id: str,
    actions: Collection[Action],
    message: str,
    digest: bytes,
) -> Person:
    """Use the grant up for this message, by its permanent key and its words; it may come again.

    Without the words, a message that is not recorded yet could keep a grant for another one under
    its number, long after the grant is over. ``actions`` are those that the message's command can
    consist of; the grant is for one of them.
    """
    with (
        audit.watched(desk, origin, "grant:use", subject=message) as deed,
        desk.database.transaction() as connection,
    ):
        account = grants.use(
            connection,
            grant_id,
            device_id=console.device_id,
            table_id=console.table_id,
            actions=actions,
            message=f"{message} {digest.hex()}",
            now=desk.now(),
        )
        if account is None:
            raise Denied(
                Kind.GRANT_NOT_VALID,
                "The supervisor's authorisation is not for this, is over, or was used already.",
                remedy="Ask the supervisor for their PIN again.",
            )
        deed.person = account.number
        deed.done(connection, after={"grant_of": account.role.key})
        return permissions.person_of(account)


def number_of(desk: Desk, named: Named) -> str:
    """Whose number or card it is; a card that is nobody's is judged like a wrong number."""
    if isinstance(named, StaffNumber):
        return named.number
    digest = card_digest(require_card_key(desk), named.card)
    with desk.database.connection() as connection:
        return staff.number_of_card(connection, digest) or _NOBODY
