"""At a table's console: who stands there, and a supervisor's word for one action.

These requests are signed by the device but never kept: they carry a PIN.
"""

from http import HTTPStatus
from typing import Self

from pydantic import Field, model_validator

from meter_server.access import consoles, taking_over
from meter_server.access.consoles import Named, StaffCard, StaffNumber
from meter_server.domain.rulebook.authority import Action
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Shown, Strict
from meter_server.http.api.signed import AT_TABLE, AtTable
from meter_server.http.staff import RoleShown

family = Family("consoles", "At a table's console")

_REFUSES = (HTTPStatus.CONFLICT,)


class Pin(Strict):
    """A person by staff number or card, and the PIN."""

    number: Name | None = None
    card: str | None = Field(default=None, min_length=4, max_length=100)
    pin: str = Field(min_length=1, max_length=12, json_schema_extra={"format": "password"})

    @model_validator(mode="after")
    def _one_name(self) -> Self:
        if (self.number is None) == (self.card is None):
            raise ValueError("name the person by number or by card")
        return self

    @property
    def named(self) -> Named:
        return StaffCard(self.card) if self.card is not None else StaffNumber(self.number or "")


class Authorisation(Pin):
    action: Action


class TakeOver(Pin):
    table: Name


class TakenOver(Shown):
    table: str
    fenced: list[str] = Field(description="The tablets that are kept out from now on.")


class SignedOn(Shown):
    number: str
    name: str
    role: RoleShown


class GrantShown(Shown):
    grant: str = Field(description="For one message of this device, once.")
    number: str
    role: RoleShown
    table: str
    action: str
    expires_at: Instant


@family.post("/v1/sign-on", AT_TABLE, "Sign on at this console.", refuses=_REFUSES)
def sign_on(caller: AtTable, body: Pin) -> SignedOn:
    account = consoles.sign_on(
        caller.parts.desk, caller.origin, caller.console, body.named, body.pin
    )
    return SignedOn(number=account.number, name=account.name, role=RoleShown.of(account.role))


@family.post("/v1/sign-off", AT_TABLE, "Sign off, so that nobody stands at this console.")
def sign_off(caller: AtTable) -> None:
    consoles.sign_off(caller.parts.desk, caller.origin, caller.console)


@family.post(
    "/v1/authorise",
    AT_TABLE,
    "Exchange a supervisor's PIN for a grant: one action, one message, some seconds.",
    refuses=_REFUSES,
)
def authorise(caller: AtTable, body: Authorisation) -> GrantShown:
    grant = consoles.authorise(
        caller.parts.desk, caller.origin, caller.console, body.named, body.pin, body.action
    )
    return GrantShown(
        grant=grant.id,
        number=grant.account.number,
        role=RoleShown.of(grant.account.role),
        table=grant.table_id,
        action=grant.action,
        expires_at=grant.expires_at,
    )


@family.post(
    "/v1/device/take-over",
    AT_TABLE,
    "Take over a table with this tablet: others there are fenced, the round goes on.",
    refuses=[*_REFUSES, HTTPStatus.NOT_FOUND],
)
def take_over(caller: AtTable, body: TakeOver) -> TakenOver:
    fenced = taking_over.take_over(
        caller.parts.desk, caller.origin, caller.device, body.table, body.named, body.pin
    )
    return TakenOver(table=body.table, fenced=fenced)
