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
from meter_server.domain.commands import CorrectSettlement, GrantTopUp, VoidSettlement
from meter_server.http.api.commands import carried_out
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import PrizeName, RoundName, Strict, Text
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import SIGNED_IN, Staff
from meter_server.http.commands_sent import cards_of, reports_of
from meter_server.http.proposals import ProposalShown, propose
from meter_server.storage.database import Connection

family = Family("corrections", "Settlements put right")


class RightOutcome(Strict):
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


class Voiding(Strict):
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
    )
    return propose(caller, "correct-settlement", wanted)


@family.post(
    "/v1/rounds/<path:round_id>/voids",
    SIGNED_IN,
    "Propose to void a settlement; where its outcome is invalidated, wagers are refunded.",
    status=HTTPStatus.ACCEPTED,
)
def void(caller: Staff, round_id: RoundName, body: Voiding) -> ProposalShown:
    wanted = Void(round=round_id, reason=body.reason, invalidated=body.invalidated)
    return propose(caller, "void-settlement", wanted)


@family.post(
    "/v1/prizes/<path:prize_id>/top-ups",
    SIGNED_IN,
    "Propose to give a later winner what a corrected settlement would have left for the prize.",
    status=HTTPStatus.ACCEPTED,
)
def top_up(caller: Staff, prize_id: PrizeName, body: Granting) -> ProposalShown:
    wanted = Grant(prize=prize_id, corrected_round=body.corrected_round)
    return propose(caller, "grant-top-up", wanted)


def handlers(submit: Submit) -> Handlers:
    """What is done at the door when the second person has confirmed it."""

    def corrected(_connection: Connection, confirmed: Confirmed[Correction]) -> Done:
        body = confirmed.body
        command = CorrectSettlement(
            body.round,
            reports_of(body.hands),
            cards_of(body.shared_cards),
            frozenset(body.admitted),
            body.reason,
        )
        return carried_out(submit, confirmed, command)

    def voided(_connection: Connection, confirmed: Confirmed[Void]) -> Done:
        body = confirmed.body
        command = VoidSettlement(body.round, body.reason, body.invalidated)
        return carried_out(submit, confirmed, command)

    def granted(_connection: Connection, confirmed: Confirmed[Grant]) -> Done:
        body = confirmed.body
        return carried_out(submit, confirmed, GrantTopUp(body.prize, body.corrected_round))

    propose_it, confirm_it = Permission.CORRECT, Permission.CONFIRM_CORRECTIONS
    return {
        "correct-settlement": Handler(Correction, propose_it, confirm_it, corrected),
        "void-settlement": Handler(Void, propose_it, confirm_it, voided),
        "grant-top-up": Handler(Grant, propose_it, confirm_it, granted),
    }
