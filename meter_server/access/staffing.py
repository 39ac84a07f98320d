"""What takes two persons about people: who is let in, and as what."""

from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from meter_server.access import choosing
from meter_server.access.accounts import find_in, lock_in, own_account, require_role, taken
from meter_server.access.desk import Desk
from meter_server.access.hashing import code_digest, new_code
from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.domain.writing import NAME
from meter_server.storage import sessions, staff
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account, AccountState

INVITATION_LIFE = timedelta(hours=24)

StaffNumber = Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewAccount(_Strict):
    number: StaffNumber
    name: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    role: str


class NewRole(_Strict):
    number: StaffNumber
    role: str


class Whom(_Strict):
    number: StaffNumber


def handlers(desk: Desk) -> Handlers:
    """By the name of the action."""

    def create(connection: Connection, confirmed: Confirmed[NewAccount]) -> Done:
        new = confirmed.body
        if not staff.add(connection, new.number, new.name, new.role, desk.now()):
            raise taken(new.number)
        return _invited(desk, connection, new.number)

    def invite(connection: Connection, confirmed: Confirmed[Whom]) -> Done:
        return _invited(desk, connection, confirmed.body.number)

    propose, confirm = Permission.MANAGE_STAFF, Permission.CONFIRM_STAFF
    return {
        "create-account": Handler(NewAccount, propose, confirm, create, _check_new),
        "change-role": Handler(NewRole, propose, confirm, _change_role, _check_role),
        "invite": Handler(Whom, propose, confirm, invite, _check_whom),
        "restore-account": Handler(Whom, propose, confirm, _restore, _check_whom),
    }


def _invited(desk: Desk, connection: Connection, number: str) -> Done:
    code, expires_at = new_code(), desk.now() + INVITATION_LIFE
    staff.invite(connection, number, code_digest(code), expires_at)
    result = {"number": number, "invitation_expires_at": expires_at.isoformat()}
    return Done(result, once={"code": code})


def _change_role(connection: Connection, confirmed: Confirmed[NewRole]) -> Done:
    number = confirmed.body.number
    before = lock_in(connection, number)
    staff.change_role(connection, number, confirmed.body.role)
    sessions.end_all_of(connection, number)
    return Done({"number": number, "role_before": before.role.key, "role": confirmed.body.role})


def _restore(connection: Connection, confirmed: Confirmed[Whom]) -> Done:
    number = confirmed.body.number
    before = lock_in(connection, number)
    staff.change_state(connection, number, AccountState.ACTIVE)
    return Done({"number": number, "state_before": before.state, "state": AccountState.ACTIVE})


def _check_new(connection: Connection, person: Account, body: NewAccount) -> None:
    del person
    choosing.require_name(body.name)
    require_role(connection, body.role)
    if staff.find(connection, body.number) is not None:
        raise taken(body.number)


def _check_role(connection: Connection, person: Account, body: NewRole) -> None:
    require_role(connection, body.role)
    _check_other(connection, person, body.number)


def _check_whom(connection: Connection, person: Account, body: Whom) -> None:
    _check_other(connection, person, body.number)


def _check_other(connection: Connection, person: Account, number: str) -> None:
    find_in(connection, number)
    if person.number == number:
        raise own_account()
