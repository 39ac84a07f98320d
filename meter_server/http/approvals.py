"""A console waits for a supervisor's word, who gives it from a tablet or phone of their own."""

from http import HTTPStatus
from typing import Annotated

from pydantic import Field

from meter_server.access import approvals
from meter_server.access.approvals import Standing
from meter_server.access.permissions import Permission
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.writing import INTEGER_MAX
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Shown, Strict
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.api.signed import AT_TABLE, AtTable
from meter_server.storage.approvals import Approval

family = Family("approvals", "A supervisor's word from a device of their own")

ApprovalId = Annotated[int, Field(ge=1, le=INTEGER_MAX)]

_REFUSES = (HTTPStatus.NOT_FOUND,)


class Asking(Strict):
    action: Action


class Asked(Shown):
    approval: int


class Answered(Shown):
    approval: int
    state: Standing
    by: str | None = Field(description="Who approved or refused it.")
    grant: str | None = Field(description="For one message of this device, once.")


class Own(Strict):
    """Once more the person's own PIN."""

    pin: str = Field(min_length=1, max_length=12, json_schema_extra={"format": "password"})


class ApprovalShown(Shown):
    approval: int
    table: str
    action: str
    rank: str
    rank_title: str = Field(description="The lowest that may approve it.")
    level: int = Field(description="The rank's step of the ladder.")
    asked_by: str | None
    asked_at: Instant
    waiting_seconds: int

    @classmethod
    def of(cls, one: Approval, caller: Staff) -> "ApprovalShown":
        waited = caller.parts.desk.now() - one.asked_at
        return cls(
            approval=one.id,
            table=one.table_id,
            action=one.action,
            rank=one.role_key,
            rank_title=one.role_title,
            level=one.level,
            asked_by=one.asked_by,
            asked_at=one.asked_at,
            waiting_seconds=max(0, int(waited.total_seconds())),
        )


class Approvals(Shown):
    """The longest waiting first."""

    items: list[ApprovalShown]


@family.post("/v1/device/approvals", AT_TABLE, "Ask for a supervisor's word.", refuses=_REFUSES)
def ask(caller: AtTable, body: Asking) -> Asked:
    asked = approvals.ask(caller.parts.desk, caller.origin, caller.console, body.action)
    return Asked(approval=asked)


@family.get(
    "/v1/device/approvals/<approval_id>",
    AT_TABLE,
    "What became of it; the grant, once it is approved.",
    refuses=_REFUSES,
)
def answered(caller: AtTable, approval_id: ApprovalId) -> Answered:
    found = approvals.own(caller.parts.desk, caller.console, approval_id)
    state = approvals.standing(caller.parts.desk, found)
    return Answered(approval=found.id, state=state, by=found.ended_by, grant=found.grant_id)


@family.post(
    "/v1/device/approvals/<approval_id>/end",
    AT_TABLE,
    "It is not waited for any more.",
    refuses=_REFUSES,
)
def withdraw(caller: AtTable, approval_id: ApprovalId) -> None:
    approvals.withdraw(caller.parts.desk, caller.console, approval_id)


@family.get("/v1/approvals", permitted(Permission.READ_FLOOR), "Which consoles wait for a word.")
def waiting(caller: Staff) -> Approvals:
    found = approvals.waiting(caller.parts.desk)
    return Approvals(items=[ApprovalShown.of(one, caller) for one in found])


@family.post(
    "/v1/approvals/<approval_id>/approval",
    SIGNED_IN,
    "Approve it by your PIN: the console gets a grant for this action, once.",
    refuses=_REFUSES,
)
def approve(caller: Staff, approval_id: ApprovalId, body: Own) -> None:
    approvals.approve(caller.parts.desk, caller.origin, caller.account, approval_id, body.pin)


@family.post("/v1/approvals/<approval_id>/refusal", SIGNED_IN, "Refuse it.", refuses=_REFUSES)
def refuse(caller: Staff, approval_id: ApprovalId) -> None:
    approvals.refuse(caller.parts.desk, caller.origin, caller.account, approval_id)
