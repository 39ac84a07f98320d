"""Corrections: never an edit, always a compensating entry that says who and why (A-58)."""

from collections.abc import Iterable
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState, award_id
from meter_server.domain.commands import CorrectSettlement, VoidSettlement
from meter_server.domain.deciding.contests import contest_again
from meter_server.domain.deciding.irregularities import ruling_for
from meter_server.domain.deciding.outcomes import (
    Reading,
    bonus_payouts,
    check_reported,
    ended,
    outcome_detail,
    read_hands,
)
from meter_server.domain.deciding.prizes import refuse_contested
from meter_server.domain.deciding.putting_right import (
    free_key,
    listed,
    nothing_differs,
    own_awards,
    paid_of,
    post_correction,
    recorded_of,
    refuse_unless_as_seen,
    settled_of,
)
from meter_server.domain.deciding.top_ups import later_prizes, take_back
from meter_server.domain.deciding.wagers import check_seats, credit, reverse
from meter_server.domain.entries import Json
from meter_server.domain.floor import Draft
from meter_server.domain.hands import METER_HANDS
from meter_server.domain.money import dollars
from meter_server.domain.people import Context, require, require_second
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.replay import prizes_in_effect, top_up_in_effect
from meter_server.domain.rounds import Round, RoundState, Seat, SeatState, Settled, with_seats
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.readings import readings_from_label
from meter_server.domain.settlement import Statement, settle

_WAGERS_OF_THE_ROUND = (SeatState.LIVE, SeatState.FOLDED)
_INVALIDATE = frozenset({Action.INVALIDATE_FOR_DISRUPTION, Action.INVALIDATE_FOR_FRAUD})


def correct_settlement(draft: Draft, command: CorrectSettlement, context: Context) -> None:
    """Settle a round again, at its own meter value and by its own readings (A-58)."""
    round_ = draft.round(command.round_id)
    require(context, Action.CORRECT_SETTLEMENT, round_.game_key)
    require_second(context)
    draft.open_meter(round_.meter_id)
    settled = recorded_of(round_)
    if command.admitted:
        check_seats(draft.table(round_.table_id), command.admitted)
    wagers = round_.in_state(*_WAGERS_OF_THE_ROUND) | command.admitted
    check_reported(round_.game, wagers, command.hands)
    round_ = _admit(draft, round_, command)
    eligible = round_.in_state(*_WAGERS_OF_THE_ROUND)
    reading = read_hands(round_.game, eligible, command.hands, command.shared_cards, context)
    recorded = settled.statement
    readings = readings_from_label(recorded.readings)
    statement = settle(
        round_.game,
        round_.terms,
        recorded.meter_micros,
        reading.royals,
        reading.straight_flushes,
        readings=readings,
        reset_to_micros=recorded.reset_to_micros,
    )
    prizes = prizes_in_effect(_due(reading, statement), paid_of(draft, round_))
    top_up = top_up_in_effect(statement, prizes)
    bonus = bonus_payouts(round_, reading, readings)
    corrected = replace(
        settled,
        statement=statement,
        prizes_micros=prizes,
        top_up_micros=top_up,
        bonus_micros=bonus,
        voided=False,
    )
    changed = ended(with_seats(round_, eligible, SeatState.LIVE), reading, corrected)
    if _outcome(changed) == _outcome(round_):
        raise nothing_differs(round_)
    _refuse_contested(draft, round_)
    refuse_unless_as_seen(round_, settled, command.seen_seq)
    detail = {
        **outcome_detail(eligible, command.hands, command.shared_cards, reading, statement, bonus),
        "paid": listed(sorted(paid_of(draft, round_).items())),
        "reason": command.reason,
        "what": "settlement",
    }
    changed = _with_behind(changed, corrected, context)
    draft.put(changed)
    _put_awards(draft, changed, reading, statement, context)
    _post(draft, round_, corrected, detail)
    contest_again(draft, round_.id, round_.meter_id)


def _outcome(round_: Round) -> object:
    """What a correction can change: whether cards or a word told of a hand is no difference."""
    return {seat: (held.state, held.hand) for seat, held in round_.seats.items()}, round_.settled


def _with_behind(round_: Round, settled: Settled, context: Context) -> Round:
    """Whoever puts an outcome right does not determine its prizes either (AUT-2)."""
    return replace(round_, settled=replace(settled, behind=settled.behind | context.people))


def _admit(draft: Draft, round_: Round, command: CorrectSettlement) -> Round:
    """Admit wagers that were placed but never registered: they contribute now (A-55)."""
    if not command.admitted:
        return round_
    table = draft.table(round_.table_id)
    known = sorted(command.admitted - round_.in_state(SeatState.RETURNED) & set(round_.seats))
    if known:
        raise Refused(
            Kind.SEAT_HAS_WAGER,
            f"Seat {known[0]} has its one Jackpot wager in round {round_.id} already.",
            rule=round_.game.rules.one_wager_a_hand,
            remedy="Name the seat whose wager is missing.",
        )
    # Placed under the terms of the round, whatever is in force by now.
    evidence: dict[str, Json] = {"carried": [], "reason": command.reason}
    seats = command.admitted
    stakes = credit(draft, round_.meter_id, round_.terms, table, round_.id, seats, evidence)
    admitted = {seat: Seat(SeatState.LIVE, stake) for seat, stake in stakes.items()}
    return replace(round_, seats={**round_.seats, **admitted})


def _due(reading: Reading, statement: Statement) -> dict[int, int]:
    return {
        seat: statement.paid_each(hand)
        for seat, hand in reading.hands.items()
        if hand in METER_HANDS
    }


def _put_awards(
    draft: Draft, round_: Round, reading: Reading, statement: Statement, context: Context
) -> None:
    """Replace unpaid prizes by the corrected ones; a paid one gets the difference, if any."""
    settled = recorded_of(round_)
    paid = paid_of(draft, round_)
    due = {seat: hand for seat, hand in reading.hands.items() if hand in METER_HANDS}
    own = own_awards(draft, round_)
    kept = {award.id for award in own if award.state is AwardState.PAID}
    withheld = {award.seat for award in own if award.state is AwardState.WITHHELD}
    for award in own:
        if award.id not in kept:
            draft.put(replace(award, state=AwardState.VOIDED))
    for seat, hand in due.items():
        amount = statement.paid_each(hand) - paid.get(seat, 0)
        if amount > 0:
            draft.put(
                Award(
                    id=free_key(kept, award_id(round_.id, seat), round_.id),
                    meter_id=round_.meter_id,
                    round_id=round_.id,
                    seat=seat,
                    hand=hand,
                    amount_micros=amount,
                    meter_seq=settled.meter_seq,
                    recorded_by=context.actor.staff_number,
                    approved_by=context.approved_by,
                    # Rounds of an older release name only who recorded them.
                    behind=settled.behind.union({settled.recorded_by}, *(a.behind for a in own)),
                    agent_at_us=settled.agent_at_us,
                    state=AwardState.WITHHELD if seat in withheld else AwardState.PENDING,
                    cautions=reading.cautions,
                )
            )


def void_settlement(draft: Draft, command: VoidSettlement, context: Context) -> None:
    """Undo a settlement: the prize less the top-up goes back on the meter (A-58).

    An invalidated outcome also refunds every wager (WSOP 14.4; Three Card 13.5), at once or after
    a void that left it open.
    """
    round_ = draft.round(command.round_id)
    require(context, Action.CORRECT_SETTLEMENT, round_.game_key)
    require_second(context)
    draft.open_meter(round_.meter_id)
    settled = settled_of(round_) if command.invalidated is None else recorded_of(round_)
    if command.invalidated is not None:
        _check_invalidates(round_, command.invalidated, context)
    _refuse_contested(draft, round_)
    refuse_unless_as_seen(round_, settled, command.seen_seq)
    _refuse_paid(draft, round_)
    if not settled.voided:
        _void(draft, round_, settled, command.reason, context)
    if command.invalidated is not None:
        _refund(draft, draft.round(round_.id), command)


def _void(draft: Draft, round_: Round, settled: Settled, reason: str, context: Context) -> None:
    for award in own_awards(draft, round_):
        draft.put(replace(award, state=AwardState.VOIDED))
    voided = replace(settled, prizes_micros=0, top_up_micros=0, bonus_micros={}, voided=True)
    draft.put(_with_behind(round_, voided, context))
    _post(draft, round_, voided, {"reason": reason, "what": "void"})


def _check_invalidates(round_: Round, case: str, context: Context) -> None:
    ruling = ruling_for(round_.game, case)
    if ruling.action not in _INVALIDATE:
        raise Refused(
            Kind.CASE_NOT_PROVIDED,
            f"The case {case!r} does not invalidate an outcome.",
            rule=ruling.rule,
            remedy="Name the case by which the outcome is invalidated.",
        )
    require(context, ruling.action, round_.game_key)


def _refund(draft: Draft, round_: Round, command: VoidSettlement) -> None:
    table = draft.table(round_.table_id)
    seats = round_.in_state(*_WAGERS_OF_THE_ROUND)
    detail: dict[str, Json] = {
        "case": command.invalidated,
        "reason": command.reason,
        "returned": sorted(seats),
        "reregistered": [],
        "rule": ruling_for(round_.game, str(command.invalidated)).rule,
    }
    reverse(draft, table, round_.id, round_.stakes(seats), detail)
    draft.put(replace(with_seats(round_, seats, SeatState.RETURNED), state=RoundState.REFUNDED))


def _post(draft: Draft, before: Round, now: Settled, detail: dict[str, Json]) -> None:
    """The difference, with the top-ups that are no longer right; then what the replay proposes."""
    settled = recorded_of(before)
    taken = take_back(draft, before.meter_id, detail, before.id)
    back = sum(taken.values())
    post_correction(
        draft,
        before,
        (settled.prizes_micros - settled.top_up_micros)
        - (now.prizes_micros - now.top_up_micros)
        + back,
        now.prizes_micros - settled.prizes_micros - back,
        sum(now.bonus_micros.values()) - sum(settled.bonus_micros.values()),
        {**detail, "taken_back": listed(sorted(taken.items()))},
        before.game.rules.dispute,
    )
    draft.later_prizes = later_prizes(draft, before.meter_id, [before.id])


def _refuse_contested(draft: Draft, round_: Round) -> None:
    """A replay in the other order needs both rounds as they were recorded (A-38)."""
    for award in draft.awards_of_round(round_.id):
        refuse_contested(award, round_.game)


def _refuse_paid(draft: Draft, round_: Round) -> None:
    paid: Iterable[Award] = (
        award for award in draft.awards_of_round(round_.id) if award.state is AwardState.PAID
    )
    for award in paid:
        raise Refused(
            Kind.ALREADY_PAID,
            f"Prize {award.id} of {dollars(award.amount_micros)} is paid, and nothing paid is "
            "taken back.",
            rule=round_.game.rules.dispute,
            remedy="Correct the settlement instead; the paid prize stays as it is.",
        )
