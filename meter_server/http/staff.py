"""People and what they can be. Whatever gives somebody more than they have is a proposal."""

from http import HTTPStatus

from pydantic import Field

from meter_server.access import accounts
from meter_server.access.permissions import Permission
from meter_server.access.staffing import NewAccount, NewRole, Whom
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Page, PageQuery, Shown, Strict
from meter_server.http.api.pages import page
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.proposals import ProposalShown, propose
from meter_server.storage.staff import Account, AccountState, Role

family = Family("staff", "People and what they can be")

_PROPOSAL = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


class RoleShown(Shown):
    key: str
    title: str
    level: int | None = Field(description="The step of the ladder; null outside it.")

    @classmethod
    def of(cls, role: Role) -> "RoleShown":
        return cls(key=role.key, title=role.title, level=role.level)


class Roles(Shown):
    items: list[RoleShown]


class AccountShown(Shown):
    number: str
    name: str
    role: RoleShown
    state: AccountState
    created_at: Instant

    @classmethod
    def of(cls, account: Account) -> "AccountShown":
        return cls(
            number=account.number,
            name=account.name,
            role=RoleShown.of(account.role),
            state=account.state,
            created_at=account.created_at,
        )


class RoleWanted(Strict):
    role: Name


class Card(Strict):
    card: str = Field(min_length=4, max_length=100, description="As the card reader types it.")


@family.get("/v1/roles", SIGNED_IN, "What a person can be.")
def roles(caller: Staff) -> Roles:
    return Roles(items=[RoleShown.of(role) for role in accounts.roles(caller.parts.desk)])


@family.get("/v1/staff", permitted(Permission.READ_STAFF), "List the accounts.")
def list_staff(caller: Staff, query: PageQuery) -> Page[AccountShown]:
    found = accounts.page(caller.parts.desk, query.after or "", query.limit + 1)
    return page(found, query.limit, AccountShown.of, lambda account: account.number)


@family.get("/v1/staff/<number>", permitted(Permission.READ_STAFF), "Show one account.")
def show(caller: Staff, number: Name) -> AccountShown:
    return AccountShown.of(accounts.find(caller.parts.desk, number))


@family.post(
    "/v1/staff",
    SIGNED_IN,
    "Propose an account; its invitation is shown to whoever confirms it.",
    status=HTTPStatus.ACCEPTED,
    refuses=_PROPOSAL,
)
def create(caller: Staff, body: NewAccount) -> ProposalShown:
    return propose(caller, "create-account", body)


@family.post(
    "/v1/staff/<number>/role",
    SIGNED_IN,
    "Propose another role for a person.",
    status=HTTPStatus.ACCEPTED,
    refuses=_PROPOSAL,
)
def change_role(caller: Staff, number: Name, body: RoleWanted) -> ProposalShown:
    return propose(caller, "change-role", NewRole(number=number, role=body.role))


@family.post(
    "/v1/staff/<number>/invitation",
    SIGNED_IN,
    "Propose a new invitation, for a person who has lost the password.",
    status=HTTPStatus.ACCEPTED,
    refuses=_PROPOSAL,
)
def invite(caller: Staff, number: Name) -> ProposalShown:
    return propose(caller, "invite", Whom(number=number))


@family.post(
    "/v1/staff/<number>/restoration",
    SIGNED_IN,
    "Propose to let a suspended person in again.",
    status=HTTPStatus.ACCEPTED,
    refuses=_PROPOSAL,
)
def restore(caller: Staff, number: Name) -> ProposalShown:
    return propose(caller, "restore-account", Whom(number=number))


@family.post("/v1/staff/<number>/suspension", SIGNED_IN, "Keep a person out, at once.")
def suspend(caller: Staff, number: Name) -> AccountShown:
    return AccountShown.of(
        accounts.suspend(caller.parts.desk, caller.origin, caller.account, number)
    )


@family.post(
    "/v1/staff/<number>/card",
    SIGNED_IN,
    "Give a person a staff card.",
    refuses=[HTTPStatus.CONFLICT],
)
def assign_card(caller: Staff, number: Name, body: Card) -> None:
    accounts.assign_card(caller.parts.desk, caller.origin, caller.account, number, body.card)
