"""The meter as at any moment, and the worked statement of each settlement."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from pydantic import Field, model_validator

from meter_server.access.permissions import Permission
from meter_server.domain.deciding.rulings import Ruled
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.writing import INTEGER_MAX, ROUND
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import (
    PAGE_MAX,
    Instant,
    InstantAsked,
    Name,
    Page,
    Shown,
    Strict,
    rfc3339,
)
from meter_server.http.api.pages import page
from meter_server.http.api.people import Staff, permitted
from meter_server.http.problems import Problem
from meter_server.reading import floor, history
from meter_server.storage.database import Database
from meter_server.storage.history import Recorded

family = Family("history", "What the meters recorded")


class AsAt(Strict):
    """One way to name the moment."""

    at: InstantAsked | None = Field(default=None, description="An instant with its offset.")
    seq: int | None = Field(default=None, ge=1, le=INTEGER_MAX, description="After this entry.")
    round: str | None = Field(
        default=None,
        pattern=f"^{ROUND.pattern}$",
        description="The time for settlement of this round.",
    )

    @model_validator(mode="after")
    def _one_moment(self) -> "AsAt":
        if sum(given is not None for given in (self.at, self.seq, self.round)) != 1:
            raise ValueError("name the moment by one of at, seq and round")
        return self


class SettlementQuery(Strict):
    round: str = Field(pattern=f"^{ROUND.pattern}$", examples=["t1-a/2/4"])


class RulingsQuery(Strict):
    what: Ruled | None = Field(default=None, description="Only what was ruled so.")
    after: int = Field(
        default=0, ge=0, le=INTEGER_MAX, description="The `next` of the page before."
    )
    limit: int = Field(default=50, ge=1, le=PAGE_MAX, description="How many items at most.")


class RulingShown(Shown):
    """A decision by which no money moved, as it stands in the journal (docs/protocol.md, 5)."""

    seq: int
    at: Instant
    what: Ruled
    actor: str
    approver: str | None
    second: str | None
    rule: str
    table: str | None
    round: str | None
    detail: dict[str, Any]
    hash: str

    @classmethod
    def of(cls, found: Recorded) -> "RulingShown":
        entry = found.entry
        return cls(
            seq=found.seq,
            at=found.at,
            what=Ruled(entry["detail"]["what"]),
            actor=entry["actor"],
            approver=entry["approver"],
            second=entry["second"],
            rule=entry["rule"],
            table=entry["table"],
            round=entry["round"],
            detail=entry["detail"],
            hash=found.hash.hex(),
        )


class ReadingShown(Shown):
    """What the meter recorded at that moment, and by which entry."""

    system: str
    value_micros: int = Field(description="Exact, in millionths of a dollar.")
    value_cents: int = Field(description="Cut, never rounded up.")
    epoch: int
    seq: int = Field(description="The last entry at that moment.")
    at: Instant = Field(description="When that entry was recorded.")
    kind: str
    round: str | None
    table: str | None
    hash: str

    @classmethod
    def of(cls, found: Recorded) -> "ReadingShown":
        entry = found.entry
        return cls(
            system=found.meter_id,
            value_micros=entry["after"],
            value_cents=entry["after"] // MICROS_PER_CENT,
            epoch=entry["epoch"],
            seq=found.seq,
            at=found.at,
            kind=entry["kind"],
            round=entry["round"],
            table=entry["table"],
            hash=found.hash.hex(),
        )


class SettlementShown(Shown):
    """Everything that was recorded of a round's outcome (docs/protocol.md, 5)."""

    round: str
    table: str
    system: str
    seq: int
    at: Instant = Field(description="The time for settlement.")
    agent_at: str | None = Field(description="The table's own clock: evidence.")
    actor: str
    approver: str | None
    outcome: dict[str, Any] = Field(description="Seats, hands, cards and bonus payouts.")
    statement: dict[str, Any] = Field(description="The worked statement, in millionths.")
    hash: str

    @classmethod
    def of(cls, found: Recorded) -> "SettlementShown":
        entry = found.entry
        outcome = {name: value for name, value in entry["detail"].items() if name != "statement"}
        return cls(
            round=entry["round"],
            table=entry["table"],
            system=found.meter_id,
            seq=found.seq,
            at=found.at,
            agent_at=entry["agent_at"],
            actor=entry["actor"],
            approver=entry["approver"],
            outcome=outcome,
            statement=entry["detail"]["statement"],
            hash=found.hash.hex(),
        )


@family.get(
    "/v1/systems/<system_id>/reading",
    permitted(Permission.READ_HISTORY),
    "Read the meter as at an instant, an entry or a time for settlement.",
    refuses=[HTTPStatus.NOT_FOUND],
)
def read(caller: Staff, system_id: Name, query: AsAt) -> ReadingShown:
    desk = caller.parts.desk
    _require_past(query, desk.now())
    found = _found(desk.database, system_id, query)
    if found is None or found.meter_id != system_id:
        raise Problem(HTTPStatus.NOT_FOUND, _why_not_found(desk.database, system_id, query))
    return ReadingShown.of(found)


@family.get(
    "/v1/systems/<system_id>/rulings",
    permitted(Permission.READ_HISTORY),
    "List what people ruled on wagers and prizes: carried, forfeited, determined, paid and so on.",
)
def list_rulings(caller: Staff, system_id: Name, query: RulingsQuery) -> Page[RulingShown]:
    database = caller.parts.desk.database
    found = history.rulings(database, system_id, query.what, query.after, query.limit + 1)
    return page(found, query.limit, RulingShown.of, lambda ruling: str(ruling.seq))


@family.get(
    "/v1/settlements",
    permitted(Permission.READ_HISTORY),
    "Show how a round was settled, with its worked statement.",
    refuses=[HTTPStatus.NOT_FOUND],
)
def show_settlement(caller: Staff, query: SettlementQuery) -> SettlementShown:
    found = history.settlement(caller.parts.desk.database, query.round)
    if found is None:
        raise Problem(
            HTTPStatus.NOT_FOUND,
            f"No settlement of the round {query.round} is recorded. Record its outcome first, or "
            "name another round.",
        )
    return SettlementShown.of(found)


def _require_past(query: AsAt, now: datetime) -> None:
    """What is recorded by a moment is a fact only when it has come."""
    if query.at is not None and query.at > now:
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"That moment has not come yet: the server's time is {rfc3339(now)}. Ask for one that "
            "has passed.",
        )


def _found(database: Database, system_id: str, query: AsAt) -> Recorded | None:
    if query.at is not None:
        return history.as_at(database, system_id, query.at)
    if query.seq is not None:
        return history.at_seq(database, system_id, query.seq)
    return history.settlement(database, query.round or "")


def _why_not_found(database: Database, system_id: str, query: AsAt) -> str:
    system = floor.system(database, system_id)
    if system is None:
        return f"There is no system {system_id}: see the list."
    if query.round is not None:
        return _why_no_settlement(database, system_id, query.round)
    if query.seq is not None:
        return (
            f"The meter of {system_id} has no entry {query.seq}: the last one is {system.seq}. Ask "
            "for that one or an earlier one."
        )
    return (
        f"The meter of {system_id} recorded nothing by then: it was opened later. Ask for a later "
        "moment, or for entry 1, which opened it."
    )


def _why_no_settlement(database: Database, system_id: str, round_id: str) -> str:
    played = history.played(database, round_id)
    if played is None:
        return (
            f"There is no round named {round_id}. Look up its name, or ask for an instant or an "
            "entry."
        )
    if played.meter_id != system_id:
        return (
            f"The round {round_id} was played for the system {played.meter_id}: read that one's "
            "meter."
        )
    return (
        f"The round {round_id} has no time for settlement: it is {played.state}. Ask for an "
        "instant or an entry."
    )
