"""Prize meter systems: opened and topped up by two persons, seen by everybody."""

from http import HTTPStatus
from typing import Literal

from pydantic import Field, model_validator

from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.commands import OpenSystem, TopUpMeter
from meter_server.domain.meter import MeterState
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.rulebook.terms import Terms
from meter_server.http.api.commands import carried_out
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import (
    Cents,
    Instant,
    Name,
    Page,
    PageQuery,
    Shown,
    Strict,
    Text,
)
from meter_server.http.api.pages import page
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.changes_sent import COST_CENTS_MAX
from meter_server.http.problems import Problem
from meter_server.http.proposals import ProposalShown, propose
from meter_server.reading import floor
from meter_server.storage.database import Connection
from meter_server.storage.floor_lists import SystemRow
from meter_server.storage.staff import Account

family = Family("systems", "Prize meter systems")

TABLES_MAX = 500


class SystemShown(Shown):
    system: str
    training: bool = Field(description="For training only: no money is behind it.")
    state: MeterState
    option: int
    seed_dollars: int
    rate_bp: int = Field(description="Hundredths of a percent of each wager.")
    cost_cents: int
    value_cents: int = Field(description="Cut, never rounded up.")
    seq: int = Field(description="The number of the meter's last entry.")
    moved_at: Instant
    tables: list[str]

    @classmethod
    def of(cls, row: SystemRow) -> "SystemShown":
        return cls(
            system=row.id,
            training=row.training,
            state=MeterState(row.state),
            option=row.terms.option_number,
            seed_dollars=row.terms.seed_dollars,
            rate_bp=row.terms.rate_bp,
            cost_cents=row.terms.cost_cents,
            value_cents=row.value_micros // MICROS_PER_CENT,
            seq=row.seq,
            moved_at=row.at,
            tables=row.tables,
        )


class Opening(Strict):
    """A system to be opened, at seed x cost unless an older product's meter is taken over."""

    system: Name
    option: Literal[1, 2]
    seed_dollars: int = Field(ge=1, le=1_000_000, examples=[10_000])
    cost_cents: int = Field(ge=1, le=COST_CENTS_MAX, examples=[500])
    tables: list[Name] = Field(max_length=TABLES_MAX)
    value_cents: Cents | None = Field(default=None, description="An older product's meter value.")
    reference: Text | None = Field(default=None, description="Where that value is on record.")
    training: bool = False

    @model_validator(mode="after")
    def _value_has_a_reference(self) -> "Opening":
        if (self.value_cents is None) != (self.reference is None):
            raise ValueError("value_cents and reference are given together, or neither")
        return self

    @property
    def terms(self) -> Terms:
        """ValueError where the rules print no such terms."""
        return Terms(self.option, self.seed_dollars, self.cost_cents)


class Amount(Strict):
    amount_cents: Cents
    reason: Text


class TopUp(Amount):
    system: Name


@family.get("/v1/systems", permitted(Permission.READ_FLOOR), "List the systems and their meters.")
def list_systems(caller: Staff, query: PageQuery) -> Page[SystemShown]:
    found = floor.systems(caller.parts.desk.database, query.after or "", query.limit + 1)
    return page(found, query.limit, SystemShown.of, lambda system: system.system)


@family.get("/v1/systems/<system_id>", permitted(Permission.READ_FLOOR), "Show one system.")
def show(caller: Staff, system_id: Name) -> SystemShown:
    found = floor.system(caller.parts.desk.database, system_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no system {system_id}: see the list.")
    return SystemShown.of(found)


@family.post(
    "/v1/systems",
    SIGNED_IN,
    "Propose to open a system with its founding tables.",
    status=HTTPStatus.ACCEPTED,
)
def open_system(caller: Staff, body: Opening) -> ProposalShown:
    return propose(caller, "open-system", body)


@family.post(
    "/v1/systems/<system_id>/top-ups",
    SIGNED_IN,
    "Propose to add a voluntary amount of the operator's to the meter.",
    status=HTTPStatus.ACCEPTED,
)
def top_up(caller: Staff, system_id: Name, body: Amount) -> ProposalShown:
    wanted = TopUp(system=system_id, amount_cents=body.amount_cents, reason=body.reason)
    return propose(caller, "top-up", wanted)


def handlers(submit: Submit) -> Handlers:
    """What is done at the door when the second person has confirmed it."""

    def open_confirmed(_connection: Connection, confirmed: Confirmed[Opening]) -> Done:
        body = confirmed.body
        value = None if body.value_cents is None else body.value_cents * MICROS_PER_CENT
        command = OpenSystem(
            meter_id=body.system,
            terms=body.terms,
            tables=tuple(body.tables),
            value_micros=value,
            reference=body.reference or "",
            training=body.training,
        )
        return carried_out(submit, confirmed, command)

    def top_up_confirmed(_connection: Connection, confirmed: Confirmed[TopUp]) -> Done:
        body = confirmed.body
        command = TopUpMeter(body.system, body.amount_cents * MICROS_PER_CENT, body.reason)
        return carried_out(submit, confirmed, command)

    propose_it, confirm_it = Permission.MANAGE_SYSTEMS, Permission.CONFIRM_SYSTEMS
    return {
        "open-system": Handler(Opening, propose_it, confirm_it, open_confirmed, _check_terms),
        "top-up": Handler(TopUp, propose_it, confirm_it, top_up_confirmed),
    }


def _check_terms(_connection: Connection, _person: Account, body: Opening) -> None:
    try:
        _ = body.terms
    except ValueError as error:
        raise Denied(
            Kind.NOT_ACCEPTABLE, str(error), remedy="Correct it and propose it again."
        ) from None
