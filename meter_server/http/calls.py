"""Somebody is called to a table, and comes."""

from http import HTTPStatus
from typing import Annotated

from pydantic import Field

from meter_server.access import calls
from meter_server.access.permissions import Permission
from meter_server.domain.writing import INTEGER_MAX
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Shown, Strict, Text
from meter_server.http.api.people import Staff, permitted
from meter_server.http.api.signed import AT_TABLE, AtTable
from meter_server.storage.calls import Call

family = Family("calls", "Calls to a table")

CallId = Annotated[int, Field(ge=1, le=INTEGER_MAX)]

_REFUSES = (HTTPStatus.NOT_FOUND,)


class NewCall(Strict):
    rank: Name = Field(examples=["area-manager"], description="The lowest that is of use.")
    reason: Text


class CallShown(Shown):
    call: int
    table: str
    rank: str
    rank_title: str
    level: int = Field(description="The rank's step of the ladder.")
    reason: str
    called_by: str | None
    called_at: Instant
    waiting_seconds: int
    coming: str | None = Field(description="Who is on the way.")

    @classmethod
    def of(cls, call: Call, caller: Staff | AtTable) -> "CallShown":
        waited = caller.parts.desk.now() - call.called_at
        return cls(
            call=call.id,
            table=call.table_id,
            rank=call.role_key,
            rank_title=call.role_title,
            level=call.level,
            reason=call.reason,
            called_by=call.called_by,
            called_at=call.called_at,
            waiting_seconds=max(0, int(waited.total_seconds())),
            coming=call.coming_name,
        )


class Calls(Shown):
    """The longest waiting first."""

    items: list[CallShown]


@family.post("/v1/device/calls", AT_TABLE, "Call somebody of a rank here.", refuses=_REFUSES)
def call(caller: AtTable, body: NewCall) -> CallShown:
    made = calls.call(caller.parts.desk, caller.console, body.rank, body.reason)
    return CallShown.of(made, caller)


@family.post(
    "/v1/device/calls/<call_id>/end",
    AT_TABLE,
    "Who was called has come, or is not needed any more.",
    refuses=_REFUSES,
)
def withdraw(caller: AtTable, call_id: CallId) -> None:
    calls.withdraw(caller.parts.desk, caller.console, call_id)


@family.get("/v1/calls", permitted(Permission.READ_FLOOR), "Who is waited for, at all tables.")
def waiting(caller: Staff) -> Calls:
    found = calls.waiting(caller.parts.desk)
    return Calls(items=[CallShown.of(one, caller) for one in found])


@family.post(
    "/v1/calls/<call_id>/coming",
    permitted(Permission.STAND_AT_A_CONSOLE),
    "Somebody of the rank is on the way.",
    refuses=(*_REFUSES, HTTPStatus.CONFLICT),
)
def come(caller: Staff, call_id: CallId) -> None:
    calls.come(caller.parts.desk, call_id, caller.account)


@family.post(
    "/v1/calls/<call_id>/answer",
    permitted(Permission.STAND_AT_A_CONSOLE),
    "Somebody of the rank has been there.",
    refuses=_REFUSES,
)
def answer(caller: Staff, call_id: CallId) -> None:
    calls.answer(caller.parts.desk, call_id, caller.account)
