"""Bonus hands overlooked or mis-keyed: put right until the next registration (A-59)."""

from collections.abc import Mapping
from dataclasses import replace

from meter_server.domain.commands import CorrectBonus
from meter_server.domain.deciding.outcomes import Reading, bonus_payouts
from meter_server.domain.deciding.putting_right import (
    listed,
    nothing_differs,
    post_correction,
    settled_of,
)
from meter_server.domain.floor import Draft
from meter_server.domain.hands import METER_HANDS, Hand
from meter_server.domain.people import Context, require
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, SeatState
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.readings import readings_from_label


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
        raise nothing_differs(round_)
    readings = readings_from_label(settled.statement.readings)
    bonus = bonus_payouts(round_, Reading(hands, frozenset(), frozenset(), frozenset()), readings)
    draft.put(replace(round_, seats=seats, settled=replace(settled, bonus_micros=bonus)))
    post_correction(
        draft,
        round_,
        0,
        0,
        sum(bonus.values()) - sum(settled.bonus_micros.values()),
        {
            "bonus": listed(bonus.items()),
            "hands": [[seat, hand.value] for seat, hand in sorted(hands.items())],
            "what": "bonus",
        },
        round_.game.rules.bonus_determination,
    )


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
    touching = {s for s, hand in corrected.items() if {hand, hands[s]}.intersection(METER_HANDS)}
    for seat, hand in sorted(corrected.items()):
        _refuse_unless_as_cards(round_, seat, hand, touches_meter=seat in touching)
    for seat, hand in sorted(corrected.items()):
        if seat in touching:
            raise Refused(
                Kind.TOUCHES_METER,
                "A royal or straight flush touches the meter.",
                rule=round_.game.rules.determination,
                remedy="A TG Assistant Casino Manager corrects the settlement instead.",
            )
        hands[seat] = hand
    return {seat: hand for seat, hand in hands.items() if hand is not None}


def _refuse_unless_as_cards(
    round_: Round, seat: int, hand: Hand | None, *, touches_meter: bool
) -> None:
    """Recorded cards decide, also afterwards; that they are the wrong ones is a dispute."""
    held = round_.seats[seat]
    if held.by_cards and held.hand is not None and hand is not held.hand and not touches_meter:
        raise Refused(
            Kind.HAND_NOT_AS_CARDS,
            f"The recorded cards of seat {seat} make {held.hand.title}.",
            rule=round_.game.rules.continued,
            remedy="If the cards are wrong, a TG Assistant Casino Manager corrects the settlement.",
        )
