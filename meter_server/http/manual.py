"""Manual arrangements: declared, keyed in from paper by two persons, ended, reconciled (A-57)."""

from http import HTTPStatus
from typing import Any

from pydantic import Field

from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.contract.fields import Instant as InstantSent
from meter_server.contract.messages import SEATS_MAX, Cards, CostCents, HandReport, Key, Seats
from meter_server.domain.commands import (
    DeclareIrregularity,
    RecordOutcome,
    RegisterWagers,
    SetManual,
)
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.rounds import RoundState
from meter_server.http.api.commands import Recorded, carried_out, command
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import (
    Instant,
    Name,
    Page,
    PageQuery,
    RoundName,
    Shown,
    Strict,
    Text,
)
from meter_server.http.api.pages import page
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import COMMANDING, SIGNED_IN, Commander, Staff, permitted
from meter_server.http.commands_sent import cards_of, microseconds, reports_of
from meter_server.http.proposals import ProposalShown, propose
from meter_server.http.tables import look_at
from meter_server.reading import manual
from meter_server.reading.manual import Gap, KeyedIrregularity, KeyedRound
from meter_server.storage import manual as arrangements
from meter_server.storage.database import Connection

family = Family("manual", "Manual arrangements and paper")

_REFUSED = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
_COUNT_MAX = 1_000_000


class Declaring(Strict):
    reason: Text


class Ending(Strict):
    """What the sheets add up to, counted by whoever ends the arrangements."""

    paper_rounds: int = Field(ge=0, le=_COUNT_MAX, description="Rounds on the paper.")
    paper_wagers: int = Field(ge=0, le=_COUNT_MAX, description="Jackpot wagers on the paper.")


class PaperWagers(Strict):
    """A registration as it stands on paper."""

    line: Name = Field(description="Names the round: the sheet and line, for example 12-4.")
    seats: Seats
    cost_cents: CostCents
    paper: Text = Field(description="Where the paper is found.", examples=["sheet 12, line 4"])
    at: InstantSent = Field(description="The time that stands on the paper.")


class WagersKeyedIn(PaperWagers):
    table: Name


class PaperOutcome(Strict):
    """An outcome as it stands on paper: all hands of the round."""

    hands: list[HandReport] = Field(max_length=SEATS_MAX)
    shared_cards: Cards
    case: Key | None = Field(description="The misdeal despite which the jackpot is settled.")
    paper: Text
    at: InstantSent


class OutcomeKeyedIn(PaperOutcome):
    round: RoundName


class PaperIrregularity(Strict):
    """An irregularity as it stands on paper: of a round, or of the wagers carried out of it."""

    round: RoundName = Field(description="It is declared of this round, and of no other.")
    case: Key
    seats: Seats
    joining: Seats = Field(description="Seats whose wagers were on the layout, not registered.")
    reason: Text = Field(description="What the paper says about it.")
    paper: Text
    at: InstantSent


class IrregularityKeyedIn(PaperIrregularity):
    table: Name


class KeyedIrregularityShown(Shown):
    case: str
    paper: str
    paper_at: Instant
    keyed_by: list[str] = Field(description="The two persons.")
    keyed_at: Instant

    @classmethod
    def of(cls, keyed: KeyedIrregularity) -> "KeyedIrregularityShown":
        return cls(
            case=keyed.case,
            paper=keyed.paper,
            paper_at=keyed.paper_at,
            keyed_by=list(keyed.keyed_by),
            keyed_at=keyed.keyed_at,
        )


class KeyedRoundShown(Shown):
    round: str
    paper: str
    wagers: int
    staked_cents: int
    paper_at: Instant
    keyed_at: Instant
    outcome_paper: str | None = Field(description="Null while its outcome is not keyed in.")
    outcome_keyed_at: Instant | None
    irregularities: list[KeyedIrregularityShown]
    state: RoundState = Field(description="What became of the round.")

    @classmethod
    def of(cls, keyed: KeyedRound) -> "KeyedRoundShown":
        return cls(
            round=keyed.round_id,
            paper=keyed.paper,
            wagers=keyed.wagers,
            staked_cents=keyed.staked_micros // MICROS_PER_CENT,
            paper_at=keyed.paper_at,
            keyed_at=keyed.keyed_at,
            outcome_paper=keyed.outcome_paper,
            outcome_keyed_at=keyed.outcome_keyed_at,
            irregularities=[KeyedIrregularityShown.of(one) for one in keyed.irregularities],
            state=keyed.state,
        )


class GapShown(Shown):
    """A time that a table worked on paper, held against what was keyed in."""

    key: str
    table: str
    declared_by: str
    declared_at: Instant
    reason: str
    ended_by: str | None
    ended_at: Instant | None
    paper_rounds: int | None = Field(description="Counted on the paper when it ended.")
    paper_wagers: int | None
    keyed_rounds: int
    keyed_wagers: int
    keyed_staked_cents: int
    without_outcome: list[str] = Field(description="Keyed in, but neither settled nor ended yet.")
    reconciled: bool = Field(description="Ended, and paper and record say the same.")
    rounds: list[KeyedRoundShown]

    @classmethod
    def of(cls, gap: Gap) -> "GapShown":
        one = gap.arrangement
        return cls(
            key=one.key,
            table=one.table_id,
            declared_by=one.declared_by,
            declared_at=one.declared_at,
            reason=one.reason,
            ended_by=one.ended_by,
            ended_at=one.ended_at,
            paper_rounds=one.paper_rounds,
            paper_wagers=one.paper_wagers,
            keyed_rounds=len(gap.rounds),
            keyed_wagers=gap.wagers,
            keyed_staked_cents=gap.staked_micros // MICROS_PER_CENT,
            without_outcome=gap.without_outcome,
            reconciled=gap.is_reconciled,
            rounds=[KeyedRoundShown.of(keyed) for keyed in gap.rounds],
        )


class GapsQuery(PageQuery):
    after: str | None = Field(
        default=None, max_length=200, description="The `next` of the page before."
    )
    table: Name | None = Field(default=None, description="Only those of this table.")


@family.get(
    "/v1/manual",
    permitted(Permission.READ_HISTORY),
    "From when to when tables worked on paper, and whether paper and record say the same.",
)
def list_gaps(caller: Staff, query: GapsQuery) -> Page[GapShown]:
    found = manual.gaps(caller.parts.desk.database, query.table, query.after or "", query.limit + 1)
    return page(found, query.limit, GapShown.of, lambda gap: gap.key)


@family.post(
    "/v1/tables/<table_id>/manual",
    COMMANDING,
    "Declare manual arrangements at a table.",
    refuses=_REFUSED,
)
def declare(caller: Commander, table_id: Name, body: Declaring) -> Recorded:
    def also(connection: Connection, recorded: Recorded) -> None:
        arrangements.declare(
            connection,
            message=recorded.message,
            table_id=table_id,
            by=caller.account.number,
            at=recorded.at,
            reason=body.reason,
        )

    return _command(caller, "declare-manual", SetManual(table_id, True), also)


@family.post(
    "/v1/tables/<table_id>/manual/end",
    COMMANDING,
    "End manual arrangements, once everything on paper is keyed in.",
    refuses=_REFUSED,
)
def end(caller: Commander, table_id: Name, body: Ending) -> Recorded:
    def also(connection: Connection, recorded: Recorded) -> None:
        arrangements.end(
            connection,
            message=recorded.message,
            table_id=table_id,
            by=caller.account.number,
            at=recorded.at,
            paper_rounds=body.paper_rounds,
            paper_wagers=body.paper_wagers,
        )

    return _command(caller, "end-manual", SetManual(table_id, False), also)


@family.post(
    "/v1/tables/<table_id>/paper",
    SIGNED_IN,
    "Propose a registration that stands on paper.",
    status=HTTPStatus.ACCEPTED,
)
def key_in_wagers(caller: Staff, table_id: Name, body: PaperWagers) -> ProposalShown:
    wanted = WagersKeyedIn(table=table_id, **body.model_dump())
    return propose(caller, "key-in-wagers", wanted)


@family.post(
    "/v1/rounds/<path:round_id>/paper",
    SIGNED_IN,
    "Propose an outcome that stands on paper.",
    status=HTTPStatus.ACCEPTED,
)
def key_in_outcome(caller: Staff, round_id: RoundName, body: PaperOutcome) -> ProposalShown:
    wanted = OutcomeKeyedIn(
        round=round_id,
        hands=body.hands,
        shared_cards=body.shared_cards,
        case=body.case,
        paper=body.paper,
        at=body.at,
    )
    return propose(caller, "key-in-outcome", wanted)


@family.post(
    "/v1/tables/<table_id>/paper/irregularities",
    SIGNED_IN,
    "Propose an irregularity that stands on paper.",
    status=HTTPStatus.ACCEPTED,
)
def key_in_irregularity(caller: Staff, table_id: Name, body: PaperIrregularity) -> ProposalShown:
    wanted = IrregularityKeyedIn(table=table_id, **body.model_dump())
    return propose(caller, "key-in-irregularity", wanted)


def handlers(submit: Submit) -> Handlers:
    """What is done at the door when the second person has confirmed it."""

    def wagers(_connection: Connection, confirmed: Confirmed[WagersKeyedIn]) -> Done:
        body = confirmed.body
        command = RegisterWagers(
            f"paper/{body.table}/{body.line}",
            body.table,
            frozenset(body.seats),
            body.cost_cents,
            body.paper,
        )
        return carried_out(submit, confirmed, command, agent_at_us=microseconds(body.at))

    def outcome(_connection: Connection, confirmed: Confirmed[OutcomeKeyedIn]) -> Done:
        body = confirmed.body
        command = RecordOutcome(
            body.round,
            reports_of(body.hands),
            cards_of(body.shared_cards),
            body.case,
            body.paper,
        )
        return carried_out(submit, confirmed, command, agent_at_us=microseconds(body.at))

    def irregularity(_connection: Connection, confirmed: Confirmed[IrregularityKeyedIn]) -> Done:
        body = confirmed.body
        command = DeclareIrregularity(
            body.table,
            body.case,
            frozenset(body.seats),
            frozenset(body.joining),
            body.reason,
            body.paper,
            body.round,
        )
        return carried_out(submit, confirmed, command, agent_at_us=microseconds(body.at))

    propose_it, confirm_it = Permission.KEY_IN_PAPER, Permission.CONFIRM_PAPER
    return {
        "key-in-wagers": Handler(WagersKeyedIn, propose_it, confirm_it, wagers),
        "key-in-outcome": Handler(OutcomeKeyedIn, propose_it, confirm_it, outcome),
        "key-in-irregularity": Handler(IrregularityKeyedIn, propose_it, confirm_it, irregularity),
    }


def _command(caller: Commander, action: str, wanted: SetManual, also: Any) -> Recorded:
    look = look_at(caller, wanted.table_id)
    return command(caller, f"table:{action}", wanted.table_id, wanted, look, also=also)
