"""Corrections: never an edit, always a compensating entry that says who and why (A-58, A-59)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState, LaterPrize, award_id, top_up_id
from meter_server.domain.commands import (
    CorrectBonus,
    CorrectSettlement,
    GrantTopUp,
    VoidSettlement,
)
from meter_server.domain.deciding.irregularities import ruling_for
from meter_server.domain.deciding.outcomes import (
    METER_HANDS,
    Reading,
    bonus_lines,
    bonus_payouts,
    check_reported,
    ended,
    outcome_detail,
    read_hands,
)
from meter_server.domain.deciding.prizes import refuse_contested
from meter_server.domain.deciding.wagers import check_seats, credit, guard_seed, reverse
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.hands import Hand
from meter_server.domain.meter import Posting
from meter_server.domain.money import dollars
from meter_server.domain.people import Context, require, require_second
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.replay import prizes_after
from meter_server.domain.rounds import Round, RoundState, Seat, SeatState, Settled, with_seats
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.irregularities import Effect
from meter_server.domain.settlement import Statement, settle

_WAGERS_OF_THE_ROUND = (SeatState.LIVE, SeatState.FOLDED)


def correct_bonus(draft: Draft, command: CorrectBonus, context: Context) -> None:
    """Put bonus hands right at the table; the time for settlement is unchanged (A-59)."""
    round_ = draft.round(command.round_id)
    table = draft.table(round_.table_id)
    require(context, Action.CORRECT_BONUS, round_.game_key)
    settled = settled_of(round_)
    hands = _hands_with(round_, command.hands)
    if table.open_round_id is not None or table.last_round_id != round_.id:
        raise Refused(
            Kind.TOO_LATE,
            f"Wagers have been registered at table {table.id} since round {round_.id}.",
            rule=round_.game.rules.bonus_determination,
            remedy="A TG Assistant Casino Manager corrects the settlement instead.",
        )
    seats = {seat: replace(held, hand=hands.get(seat)) for seat, held in round_.seats.items()}
    if seats == round_.seats:
        raise _nothing_differs(round_)
    bonus = bonus_payouts(round_, Reading(hands, frozenset(), frozenset()), context.readings)
    _post_correction(
        draft,
        round_,
        0,
        0,
        sum(bonus.values()) - sum(settled.bonus_micros.values()),
        {
            "bonus": [[seat, micros] for seat, micros in bonus.items()],
            "hands": [[seat, hand.value] for seat, hand in sorted(hands.items())],
            "what": "bonus",
        },
        round_.game.rules.bonus_determination,
    )
    draft.put(replace(round_, seats=seats, settled=replace(settled, bonus_micros=bonus)))


def _hands_with(round_: Round, corrected: Mapping[int, Hand | None]) -> dict[int, Hand]:
    live = round_.in_state(SeatState.LIVE)
    hands = {seat: held.hand for seat, held in round_.seats.items()}
    for seat in sorted(corrected.keys() - live):
        raise Refused(
            Kind.SEAT_WITHOUT_WAGER,
            f"Seat {seat} had no live Jackpot wager in round {round_.id}.",
            rule=round_.game.rules.continued,
            remedy="Leave the seat out.",
        )
    for seat, hand in sorted(corrected.items()):
        if hand in METER_HANDS or hands[seat] in METER_HANDS:
            raise Refused(
                Kind.TOUCHES_METER,
                "A royal or straight flush touches the meter.",
                rule=round_.game.rules.determination,
                remedy="A TG Assistant Casino Manager corrects the settlement instead.",
            )
        hands[seat] = hand
    return {seat: hand for seat, hand in hands.items() if hand is not None}


def correct_settlement(draft: Draft, command: CorrectSettlement, context: Context) -> None:
    """Settle a round again at its original meter value and post the difference (A-58)."""
    round_ = draft.round(command.round_id)
    require(context, Action.CORRECT_SETTLEMENT, round_.game_key)
    require_second(context)
    draft.open_meter(round_.meter_id)
    settled = settled_of(round_)
    wagers = round_.in_state(*_WAGERS_OF_THE_ROUND) | command.admitted
    check_reported(round_.game, wagers, command.hands)
    round_ = _admit(draft, round_, command)
    eligible = round_.in_state(*_WAGERS_OF_THE_ROUND)
    reading = read_hands(round_.game, eligible, command.hands, command.shared_cards, context)
    recorded = settled.statement
    statement = settle(
        round_.game,
        round_.terms,
        recorded.meter_micros,
        reading.royals,
        reading.straight_flushes,
        readings=context.readings,
        reset_to_micros=recorded.reset_to_micros,
    )
    prizes = _prizes_in_effect(draft, round_, reading, statement)
    top_up = _top_up(statement, prizes)
    bonus = bonus_payouts(round_, reading, context.readings)
    corrected = replace(
        settled,
        statement=statement,
        prizes_micros=prizes,
        top_up_micros=top_up,
        bonus_micros=bonus,
    )
    changed = ended(with_seats(round_, eligible, SeatState.LIVE), reading, corrected)
    if changed == round_:
        raise _nothing_differs(round_)
    _refuse_contested(draft, round_)
    granted = _take_back_grants(draft, round_)
    detail = outcome_detail(
        eligible, command.hands, command.shared_cards, reading, statement, bonus
    )
    paid = _listed(sorted(_paid(draft, round_).items()))
    _post_correction(
        draft,
        round_,
        (settled.prizes_micros - settled.top_up_micros) - (prizes - top_up) + sum(granted.values()),
        prizes - settled.prizes_micros - sum(granted.values()),
        sum(bonus.values()) - sum(settled.bonus_micros.values()),
        {
            **detail,
            "paid": paid,
            "reason": command.reason,
            "taken_back": _listed(sorted(granted.items())),
            "what": "settlement",
        },
        round_.game.rules.dispute,
    )
    draft.put(changed)
    _put_awards(draft, changed, reading, statement, context)
    draft.later_prizes = _later_prizes(draft, changed)


def _admit(draft: Draft, round_: Round, command: CorrectSettlement) -> Round:
    """Admit wagers that were placed but never registered: they contribute now (A-55)."""
    if not command.admitted:
        return round_
    table = draft.table(round_.table_id)
    check_seats(table, command.admitted)
    known = sorted(command.admitted & set(round_.seats))
    if known:
        raise Refused(
            Kind.SEAT_HAS_WAGER,
            f"Seat {known[0]} has its one Jackpot wager in round {round_.id} already.",
            rule=round_.game.rules.one_wager_a_hand,
            remedy="Name the seat whose wager is missing.",
        )
    # Placed under the terms of the round, whatever is in force by now.
    seats, evidence = command.admitted, {"carried": list[Json]()}
    stakes = credit(draft, round_.meter_id, round_.terms, table, round_.id, seats, evidence)
    admitted = {seat: Seat(SeatState.LIVE, stake) for seat, stake in stakes.items()}
    return replace(round_, seats={**round_.seats, **admitted})


def _prizes_in_effect(draft: Draft, round_: Round, reading: Reading, statement: Statement) -> int:
    """The prizes of the corrected outcome; what is paid already stays paid (A-58)."""
    paid = _paid(draft, round_)
    due = {
        seat: statement.paid_each(hand)
        for seat, hand in reading.hands.items()
        if hand in METER_HANDS
    }
    return sum(max(paid.get(seat, 0), due.get(seat, 0)) for seat in {*paid, *due})


def _paid(draft: Draft, round_: Round) -> dict[int, int]:
    paid: dict[int, int] = {}
    for award in _own(draft, round_):
        if award.state is AwardState.PAID:
            paid[award.seat] = paid.get(award.seat, 0) + award.amount_micros
    return paid


def _own(draft: Draft, round_: Round) -> list[Award]:
    """The prizes of the round's own settlement, without what was granted on top of them."""
    return [award for award in draft.awards_of_round(round_.id) if award.tops_up is None]


def _take_back_grants(draft: Draft, round_: Round) -> dict[str, int]:
    """Void the top-ups of a prize that is itself put right, unless paid; answers what they held."""
    taken: dict[str, int] = {}
    for award in draft.awards_of_round(round_.id):
        if award.tops_up is not None and award.state not in (AwardState.PAID, AwardState.VOIDED):
            draft.put(replace(award, state=AwardState.VOIDED))
            taken[award.id] = award.amount_micros
    return taken


def _listed(amounts: Iterable[tuple[int | str, int]]) -> Json:
    return [[whose, micros] for whose, micros in amounts]


def _top_up(statement: Statement, prizes_micros: int) -> int:
    after_payment = statement.meter_micros - prizes_micros
    if statement.royals > 1 or after_payment < statement.reset_to_micros:
        return statement.reset_to_micros - after_payment
    return 0


def _put_awards(
    draft: Draft, round_: Round, reading: Reading, statement: Statement, context: Context
) -> None:
    """Replace unpaid prizes by the corrected ones; a paid one gets the difference, if any."""
    settled = settled_of(round_)
    paid = _paid(draft, round_)
    due = {seat: hand for seat, hand in reading.hands.items() if hand in METER_HANDS}
    own = _own(draft, round_)
    kept = {award.id for award in own if award.state is AwardState.PAID}
    withheld = {award.seat for award in own if award.state is AwardState.WITHHELD}
    for award in own:
        if award.id not in kept:
            draft.put(replace(award, state=AwardState.VOIDED))
    for seat, hand in due.items():
        amount = statement.paid_each(hand) - paid.get(seat, 0)
        if amount > 0:
            key = award_id(round_.id, seat)
            while key in kept:
                key = top_up_id(key, round_.id)
            draft.put(
                Award(
                    id=key,
                    meter_id=round_.meter_id,
                    round_id=round_.id,
                    seat=seat,
                    hand=hand,
                    amount_micros=amount,
                    meter_seq=settled.meter_seq,
                    recorded_by=context.actor.staff_number,
                    agent_at_us=settled.agent_at_us,
                    state=AwardState.WITHHELD if seat in withheld else AwardState.PENDING,
                    cautions=reading.cautions,
                )
            )


def void_settlement(draft: Draft, command: VoidSettlement, context: Context) -> None:
    """Undo a settlement: the prize less the top-up goes back on the meter (A-58).

    An invalidated outcome also refunds every wager (WSOP 14.4; Three Card 13.5).
    """
    round_ = draft.round(command.round_id)
    require(context, Action.CORRECT_SETTLEMENT, round_.game_key)
    require_second(context)
    draft.open_meter(round_.meter_id)
    settled = settled_of(round_)
    if command.invalidated is not None:
        _check_invalidates(round_, command.invalidated, context)
    _refuse_contested(draft, round_)
    _refuse_paid(draft, round_)
    granted = _take_back_grants(draft, round_)
    _post_correction(
        draft,
        round_,
        settled.prizes_micros - settled.top_up_micros + sum(granted.values()),
        -settled.prizes_micros - sum(granted.values()),
        -sum(settled.bonus_micros.values()),
        {"reason": command.reason, "taken_back": _listed(sorted(granted.items())), "what": "void"},
        round_.game.rules.dispute,
    )
    for award in draft.awards_of_round(round_.id):
        draft.put(replace(award, state=AwardState.VOIDED))
    voided = replace(settled, prizes_micros=0, top_up_micros=0, bonus_micros={}, voided=True)
    draft.put(replace(round_, settled=voided))
    draft.later_prizes = _later_prizes(draft, draft.round(round_.id))
    if command.invalidated is not None:
        _refund(draft, draft.round(round_.id), command)


def _check_invalidates(round_: Round, case: str, context: Context) -> None:
    ruling = ruling_for(round_.game, case)
    if ruling.effect is not Effect.REFUND_ALL:
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


def grant_top_up(draft: Draft, command: GrantTopUp, context: Context) -> None:
    """Give a later winner what a corrected settlement would have left for the prize (A-58)."""
    award = draft.award(command.award_id)
    corrected = draft.round(command.corrected_round_id)
    winner = draft.round(award.round_id)
    require(context, Action.CORRECT_SETTLEMENT, winner.game_key)
    require_second(context)
    key = top_up_id(award.id, corrected.id)
    taken_back = [held.id for held in draft.awards_of_round(winner.id) if _is_voided(held)]
    if key not in taken_back:
        draft.refuse_known("prize", key)
    draft.open_meter(award.meter_id)
    amount = _due(draft, award, corrected) - _won(draft, award, winner)
    # Only a round's own prize is topped up, never a top-up or the difference of a correction.
    if _is_voided(award) or award.id != award_id(winner.id, award.seat) or amount <= 0:
        raise _nothing_differs(winner)
    draft.post(
        award.meter_id,
        Posting(
            EntryKind.PRIZE,
            -amount,
            ((Account.PRIZES, amount),),
            rule=winner.game.rules.dispute,
            detail={
                "award": key,
                "corrected_round": corrected.id,
                "hand": award.hand.value,
                "seat": award.seat,
                "top_up_of": award.id,
            },
            table_id=winner.table_id,
            round_id=winner.id,
        ),
    )
    guard_seed(draft, award.meter_id, winner.game.rules.reset, winner.table_id, winner.id)
    draft.put(
        replace(
            award,
            id=key,
            amount_micros=amount,
            recorded_by=context.actor.staff_number,
            state=AwardState.PENDING,
            contested_with=frozenset(),
            tops_up=award.id,
            determined_by=None,
            payment=None,
        )
    )


def _won(draft: Draft, award: Award, winner: Round) -> int:
    """What the seat has from its round's own settlement, the differences of corrections too."""
    return sum(
        own.amount_micros
        for own in _own(draft, winner)
        if own.seat == award.seat and not _is_voided(own)
    )


def _is_voided(award: Award) -> bool:
    return award.state is AwardState.VOIDED


def _due(draft: Draft, award: Award, corrected: Round) -> int:
    """What the award would be, had the corrected round left the meter as it now should have."""
    statement = _after(draft, corrected).get(award.round_id)
    if statement is None or corrected.meter_id != award.meter_id:
        return 0
    return statement.paid_each(award.hand)


def _after(draft: Draft, corrected: Round) -> dict[str, Statement]:
    """The later settlements, had the corrected round left the meter as it now should have."""
    settled = corrected.settled
    if settled is None:
        return {}
    after = settled.statement.meter_micros - settled.prizes_micros + settled.top_up_micros
    return prizes_after(draft.history(corrected.meter_id), corrected.id, after)


def _later_prizes(draft: Draft, corrected: Round) -> tuple[LaterPrize, ...]:
    """Every later prize of the meter that would have been another (A-58)."""
    later = _after(draft, corrected)
    standing = [
        award
        for award in draft.awards_of_meter(corrected.meter_id)
        if award.round_id in later and award.tops_up is None and not _is_voided(award)
    ]
    won: dict[str, int] = {}
    for award in standing:
        key = award_id(award.round_id, award.seat)
        won[key] = won.get(key, 0) + award.amount_micros
    prizes = (
        LaterPrize(award.id, won[award.id], later[award.round_id].paid_each(award.hand))
        for award in standing
        if award.id in won
    )
    return tuple(prize for prize in prizes if prize.won_micros != prize.due_micros)


def settled_of(round_: Round) -> Settled:
    """A round's settlement; refused where there is none in effect."""
    if round_.settled is None or round_.settled.voided or round_.state is not RoundState.SETTLED:
        raise Refused(
            Kind.ROUND_ENDED,
            f"Round {round_.id} has no settlement in effect.",
            rule=round_.game.rules.time_for_settlement,
            remedy="Only a settled round can be corrected or voided, and voided once.",
        )
    return round_.settled


def _post_correction(
    draft: Draft,
    round_: Round,
    meter_micros: int,
    prizes_micros: int,
    bonus_micros: int,
    detail: Mapping[str, Json],
    rule: str,
) -> None:
    lines: list[tuple[Account, int]] = []
    if meter_micros or prizes_micros:
        lines = [
            (Account.PRIZES, prizes_micros),
            (Account.SEED_FUNDING, -meter_micros - prizes_micros),
        ]
    if bonus_micros:
        lines.extend(bonus_lines(bonus_micros))
    draft.post(
        round_.meter_id,
        Posting(
            EntryKind.CORRECTION,
            meter_micros,
            tuple(lines),
            rule=rule,
            detail=detail,
            table_id=round_.table_id,
            round_id=round_.id,
        ),
    )
    guard_seed(draft, round_.meter_id, round_.game.rules.reset, round_.table_id, round_.id)


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


def _nothing_differs(round_: Round) -> Refused:
    return Refused(
        Kind.NOTHING_DIFFERS,
        f"This leaves the payouts of round {round_.id} as they are.",
        rule=round_.game.rules.dispute,
        remedy="Check which round and which hands are meant.",
    )
