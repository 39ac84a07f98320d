"""Settlements put right or voided, and what later winners get on top: always by two persons (A-58).

Nothing is edited. A correction settles the round again as at its own time for settlement and posts
the difference; what was paid stays paid.
"""

from http import HTTPStatus
from typing import Self

from pydantic import Field, model_validator

from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.contract.messages import SEATS_MAX, Cards, HandReport, Key, Seats
from meter_server.domain.awards import AwardState
from meter_server.domain.commands import CorrectSettlement, GrantTopUp, VoidSettlement
from meter_server.domain.entries import EntryKind
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.refusals import Refusal, Refused
from meter_server.http.api.commands import LaterPrize, carried_out
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import PrizeName, RoundName, Shown, Strict, Text
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.commands_sent import cards_of, reports_of
from meter_server.http.proposals import ProposalShown, propose
from meter_server.http.trying import tried_for
from meter_server.storage.database import Connection
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.rows import Needs

family = Family("corrections", "Settlements put right")


class AsSeen(Strict):
    """What is put right as it stood when somebody looked at it."""

    seen_seq: int | None = Field(
        default=None,
        ge=1,
        description="The meter entry by which the settlement stood when you looked at it; left "
        "out, the one by which it stands when this is proposed. Put right by somebody else "
        "before it is confirmed, it is refused.",
    )


class RightOutcome(AsSeen):
    """All hands of the round as they should have been recorded; a seat left out won nothing."""

    hands: list[HandReport] = Field(max_length=SEATS_MAX)
    shared_cards: Cards
    admitted: Seats = Field(
        description="Seats admitted by a ruling although their wagers were never registered."
    )
    reason: Text

    @model_validator(mode="after")
    def _one_report_a_seat(self) -> Self:
        seats = [report.seat for report in self.hands]
        if len(set(seats)) != len(seats):
            raise ValueError("a seat is named once")
        return self


class Correction(RightOutcome):
    round: RoundName


class Voiding(AsSeen):
    reason: Text
    invalidated: Key | None = Field(
        description="The case by which the outcome is invalidated and all wagers refunded."
    )


class Void(Voiding):
    round: RoundName


class Granting(Strict):
    corrected_round: RoundName


class Grant(Granting):
    prize: PrizeName


class TrialEntry(Shown):
    """An entry that would be posted."""

    meter: str
    kind: EntryKind
    amount_micros: int
    after_micros: int


class TrialPrize(Shown):
    """A prize as it would be."""

    prize: str
    state: AwardState
    amount_cents: int


class Trial(Shown):
    """What would happen now, if it were proposed and confirmed."""

    entries: list[TrialEntry]
    prizes: list[TrialPrize] = Field(description="Those that would be made or changed.")
    later_prizes: list[LaterPrize] = Field(
        description="Later prizes of the meter that would have been others."
    )


# Both who may propose it and who may confirm it look first.
_TRYING = permitted(Permission.CONFIRM_CORRECTIONS)
_TRIED = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


@family.post(
    "/v1/rounds/<path:round_id>/corrections",
    SIGNED_IN,
    "Propose to settle a round again, as at its own time for settlement.",
    status=HTTPStatus.ACCEPTED,
)
def correct(caller: Staff, round_id: RoundName, body: RightOutcome) -> ProposalShown:
    wanted = Correction(
        round=round_id,
        hands=body.hands,
        shared_cards=body.shared_cards,
        admitted=body.admitted,
        reason=body.reason,
        seen_seq=_seen(caller, round_id, body),
    )
    return propose(caller, "correct-settlement", wanted)


@family.post(
    "/v1/rounds/<path:round_id>/voids",
    SIGNED_IN,
    "Propose to void a settlement; where its outcome is invalidated, wagers are refunded.",
    status=HTTPStatus.ACCEPTED,
)
def void(caller: Staff, round_id: RoundName, body: Voiding) -> ProposalShown:
    wanted = Void(
        round=round_id,
        reason=body.reason,
        invalidated=body.invalidated,
        seen_seq=_seen(caller, round_id, body),
    )
    return propose(caller, "void-settlement", wanted)


@family.post(
    "/v1/rounds/<path:round_id>/corrections/trial",
    _TRYING,
    "What a correction would do now. Nothing is proposed or recorded.",
    refuses=_TRIED,
)
def try_correction(caller: Staff, round_id: RoundName, body: RightOutcome) -> Trial:
    return _trial(caller, _correction(round_id, body))


@family.post(
    "/v1/rounds/<path:round_id>/voids/trial",
    _TRYING,
    "What a void would do now. Nothing is proposed or recorded.",
    refuses=_TRIED,
)
def try_void(caller: Staff, round_id: RoundName, body: Voiding) -> Trial:
    return _trial(caller, _void(round_id, body))


@family.post(
    "/v1/prizes/<path:prize_id>/top-ups",
    SIGNED_IN,
    "Propose to give a later winner what a corrected settlement would have left for the prize.",
    status=HTTPStatus.ACCEPTED,
)
def top_up(caller: Staff, prize_id: PrizeName, body: Granting) -> ProposalShown:
    wanted = Grant(prize=prize_id, corrected_round=body.corrected_round)
    return propose(caller, "grant-top-up", wanted)


def _seen(caller: Staff, round_id: str, body: AsSeen) -> int | None:
    """By which entry it stands now: two corrections proposed of one record cannot both be made."""
    if body.seen_seq is not None:
        return body.seen_seq
    needs = Needs(rounds=frozenset({round_id}))
    found = PostgresFloor(caller.parts.desk.database).load(needs).floor.rounds.get(round_id)
    return None if found is None or found.settled is None else found.settled.stands_by


def handlers(submit: Submit) -> Handlers:
    """What is done at the door when the second person has confirmed it."""

    def corrected(_connection: Connection, confirmed: Confirmed[Correction]) -> Done:
        body = confirmed.body
        return carried_out(submit, confirmed, _correction(body.round, body))

    def voided(_connection: Connection, confirmed: Confirmed[Void]) -> Done:
        body = confirmed.body
        return carried_out(submit, confirmed, _void(body.round, body))

    def granted(_connection: Connection, confirmed: Confirmed[Grant]) -> Done:
        body = confirmed.body
        return carried_out(submit, confirmed, GrantTopUp(body.prize, body.corrected_round))

    propose_it, confirm_it = Permission.CORRECT, Permission.CONFIRM_CORRECTIONS
    return {
        "correct-settlement": Handler(Correction, propose_it, confirm_it, corrected),
        "void-settlement": Handler(Void, propose_it, confirm_it, voided),
        "grant-top-up": Handler(Grant, propose_it, confirm_it, granted),
    }


def _correction(round_id: str, body: RightOutcome) -> CorrectSettlement:
    return CorrectSettlement(
        round_id,
        reports_of(body.hands),
        cards_of(body.shared_cards),
        frozenset(body.admitted),
        body.reason,
        body.seen_seq,
    )


def _void(round_id: str, body: Voiding) -> VoidSettlement:
    return VoidSettlement(round_id, body.reason, body.invalidated, body.seen_seq)


def _trial(caller: Staff, command: CorrectSettlement | VoidSettlement) -> Trial:
    decision = tried_for(caller, command)
    if isinstance(decision, Refusal):
        raise Refused(decision.kind, decision.reason, rule=decision.rule, remedy=decision.remedy)
    return Trial(
        entries=[
            TrialEntry(
                meter=entry.meter_id,
                kind=entry.kind,
                amount_micros=entry.amount_micros,
                after_micros=entry.after_micros,
            )
            for entry in decision.entries
        ],
        prizes=[
            TrialPrize(
                prize=award.id,
                state=award.state,
                amount_cents=award.amount_micros // MICROS_PER_CENT,
            )
            for award in decision.awards.values()
        ],
        later_prizes=[
            LaterPrize(
                prize=prize.award_id,
                won_cents=prize.won_micros // MICROS_PER_CENT,
                due_cents=prize.due_micros // MICROS_PER_CENT,
                top_up_cents=prize.top_up_micros // MICROS_PER_CENT,
            )
            for prize in decision.later_prizes
        ],
    )
