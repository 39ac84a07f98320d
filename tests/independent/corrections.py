"""Corrections of what was recorded: nothing is taken out of the books, only added."""

from decimal import Decimal

from tests.independent.awards import paid_to
from tests.independent.grants import differing, take_back_grants
from tests.independent.hands import JACKPOT
from tests.independent.irregularities import give_back
from tests.independent.outcomes import Judged, contest, judge, write_down
from tests.independent.state import (
    Award,
    Floor,
    Place,
    Reasons,
    Request,
    Round,
    behind,
    may,
    needs,
)
from tests.independent.transcription import ASSISTANT, CASES, HIGHER, INVALIDATING
from tests.independent.wagers import seat_faults


def in_effect(floor: Floor, round_id: str) -> bool:
    round_ = floor.rounds[round_id]
    settled = floor.meter(round_.system).settled.get(round_id)
    return settled is not None and settled.in_effect


def correct_bonus(floor: Floor, request: Request) -> Reasons:
    """Until the next registration, a bonus hand overlooked or mis-keyed is put right."""
    round_ = floor.rounds.get(request["round"])
    if round_ is None:
        return {"unknown"}
    found = needs(request, HIGHER)
    if not in_effect(floor, request["round"]):
        found.add("round-ended")
    if floor.tables[round_.table].latest != request["round"]:
        found.add("too-late")
    hands = {seat: place.hand for seat, place in round_.places.items()}
    for seat, hand in request["hands"].items():
        if seat not in round_.seats("live"):
            found.add("seat-without-wager")
        elif hand in JACKPOT or hands[seat] in JACKPOT:
            found.add("touches-meter")
        elif round_.places[seat].by_cards and hand != hands[seat]:
            found.add("hand-not-as-cards")
        hands[seat] = hand
    if all(
        round_.places[seat].hand == hand for seat, hand in hands.items() if seat in round_.places
    ):
        found.add("nothing-differs")
    if found:
        return found
    for seat, hand in request["hands"].items():
        round_.places[seat].hand = hand
    bonus = sum((round_.terms.bonus(hand) for hand in hands.values()), Decimal())
    floor.books.write("bonus corrected", round_.system, request["round"], bonus)
    return set()


def correct_settlement(floor: Floor, request: Request) -> Reasons:
    """Settled again as at its own time; a wager admitted by a ruling contributes now."""
    round_ = floor.rounds.get(request["round"])
    if round_ is None:
        return {"unknown"}
    found = needs(request, ASSISTANT, second=True)
    if floor.meter(round_.system).closed:
        found.add("system-closed")
    if round_.state != "settled":
        return found | {"round-ended"}
    admitted = set(request["admitted"])
    if admitted:
        found |= seat_faults(floor.tables[round_.table], admitted)
    if admitted & (set(round_.places) - round_.seats("returned")):
        found.add("seat-has-wager")
    eligible = round_.seats("live", "folded") | admitted
    faults, judged = judge(round_, eligible, request)
    found |= faults
    if in_effect(floor, request["round"]) and not _differs(round_, judged):
        found.add("nothing-differs")
    if any(award.contested for award in floor.awards_of(request["round"])):
        found.add("order-contested")
    if not request["as_seen"]:
        found.add("not-as-seen")
    if found:
        return found
    if admitted:
        wagers = floor.take_wagers(request["round"], round_.system, admitted, round_.terms)
        round_.places |= {seat: Place(wager) for seat, wager in wagers.items()}
    for seat in round_.seats("folded"):
        round_.places[seat].state = "live"
    write_down(round_, judged)
    round_.behind |= behind(request)
    _award_again(floor, request["round"], judged)
    return set()


def _differs(round_: Round, judged: Judged) -> bool:
    hands = {seat: place.hand for seat, place in round_.places.items() if place.hand}
    return judged.hands != hands or judged.folded != round_.seats("folded")


def _award_again(floor: Floor, round_id: str, judged: Judged) -> None:
    """What is paid stays paid; what is not is replaced by what is due now."""
    round_ = floor.rounds[round_id]
    own = {
        key: held
        for key, held in floor.awards.items()
        if held.round == round_id and not held.granted
    }
    withheld = {held.seat for held in own.values() if held.state == "withheld"}
    paid = paid_to(floor, round_id)
    for held in own.values():
        held.state = "paid" if held.state == "paid" else "voided"
    event = ("corrected", round_.system, round_id, judged.winners, paid, judged.bonus(round_))
    meter = floor.books.meter_after(*event, Decimal())
    for seat, hand in judged.winners.items():
        more = meter.settled[round_id].result.each(hand) - paid.get(seat, Decimal())
        if more > 0:
            key = f"{round_id}/{seat}"
            while key in own and own[key].state == "paid":
                key += f"+{round_id}"
            new = Award(round_id, round_.system, seat, hand, more, round_.behind, round_.agent_at)
            new.state = "withheld" if seat in withheld else "pending"
            floor.awards[key] = new
    floor.books.write(*event, take_back_grants(floor, round_.system, meter))
    floor.differing = differing(floor, round_.system, [round_id])
    for award in floor.awards_of(round_id):
        if award.state not in ("paid", "voided"):
            contest(floor, award)


def _void(floor: Floor, round_id: str, system: str) -> None:
    for award in floor.awards_of(round_id):
        if not award.granted:
            award.state = "voided"
    event = ("voided", system, round_id)
    meter = floor.books.meter_after(*event, Decimal())
    floor.books.write(*event, take_back_grants(floor, system, meter))
    floor.differing = differing(floor, system, [round_id])


def void_settlement(floor: Floor, request: Request) -> Reasons:
    round_ = floor.rounds.get(request["round"])
    if round_ is None:
        return {"unknown"}
    found = needs(request, ASSISTANT, second=True)
    if floor.meter(round_.system).closed:
        found.add("system-closed")
    voided = round_.state == "settled" and not in_effect(floor, request["round"])
    if round_.state != "settled" or (voided and request["invalidated"] is None):
        return found | {"round-ended"}
    if request["invalidated"] is not None:
        effect = CASES.get(request["invalidated"], {}).get(round_.game)
        if effect is None or request["invalidated"] not in INVALIDATING:
            found.add("case-not-provided")
        elif not may(request, effect.rank):
            found.add("not-authorised")
    awards = floor.awards_of(request["round"])
    if any(award.state == "paid" for award in awards):
        found.add("already-paid")
    if any(award.contested for award in awards):
        found.add("order-contested")
    if not request["as_seen"]:
        found.add("not-as-seen")
    if found:
        return found
    floor.differing = {}
    if not voided:
        round_.behind |= behind(request)
        _void(floor, request["round"], round_.system)
    if request["invalidated"] is not None:
        give_back(floor, round_)
    return set()
