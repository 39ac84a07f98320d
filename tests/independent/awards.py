"""Prizes after the record: determined, withheld, paid, and orders decided."""

from dataclasses import replace
from decimal import Decimal

from tests.independent.books import Meter
from tests.independent.grants import differing, take_back_grants
from tests.independent.state import Floor, Reasons, Request, in_dollars, needs
from tests.independent.transcription import ASSISTANT, DEALER, LADDER


def determine(floor: Floor, request: Request) -> Reasons:
    award = floor.awards.get(request["award"])
    if award is None:
        return {"unknown"}
    found = needs(request, ASSISTANT)
    if _decides(request) & award.recorded_by:
        found.add("own-outcome")
    if not award.undecided:
        found.add("prize-ended")
    if award.contested:
        found.add("order-contested")
    if in_dollars(request["amount"]) != award.amount or not request["seq_as_seen"]:
        found.add("not-as-seen")
    if not found:
        award.state = "determined"
    return found


def _decides(request: Request) -> set[str]:
    """The first of the two who has the rank: it is decided in that one's name."""
    people = [request[role] for role in ("who", "approver") if request.get(role)]
    return {name for name, _ in [person for person in people if person[1] == LADDER[-1]][:1]}


def withhold(floor: Floor, request: Request) -> Reasons:
    award = floor.awards.get(request["award"])
    if award is None:
        return {"unknown"}
    found = needs(request, ASSISTANT)
    if award.state in ("paid", "voided"):
        found.add("prize-ended")
    if not found:
        award.state = "withheld"
    return found


def pay(floor: Floor, request: Request) -> Reasons:
    award = floor.awards.get(request["award"])
    if award is None:
        return {"unknown"}
    found = needs(request, DEALER)
    if award.state == "paid":
        found.add("already-paid")
    elif award.state == "voided":
        found.add("prize-ended")
    elif award.state != "determined":
        found.add("prize-not-determined")
    if award.contested:
        found.add("order-contested")
    if not found:
        award.state = "paid"
    return found


def decide_order(floor: Floor, request: Request) -> Reasons:
    """All rounds that contest each other are named, in the order decided."""
    order = list(request["order"])
    if any(round_ not in floor.rounds for round_ in order):
        return {"unknown"}
    found = needs(request, ASSISTANT)
    awards = [award for round_ in order for award in floor.awards_of(round_)]
    if any(_decides(request) & award.recorded_by for award in awards):
        found.add("own-outcome")
    doubtful = _in_doubt_with(floor, order[0])
    if len(doubtful) < 2 or sorted(order) != sorted(doubtful):
        return found | {"order-not-contested"}
    system = floor.rounds[order[0]].system
    so_far = [round_ for round_ in floor.meter(system).in_turn() if round_ in doubtful]
    if found:
        return found
    floor.differing = {}
    if order != so_far:
        paid = {round_: paid_to(floor, round_) for round_ in order}
        event = ("order decided", system, tuple(order), paid)
        meter = floor.books.meter_after(*event, Decimal())
        for round_ in order:
            _work_out_again(floor, meter, round_, paid[round_])
        floor.books.write(*event, take_back_grants(floor, system, meter))
        floor.differing = differing(floor, system, order)
    for round_ in order:
        for award in floor.awards_of(round_):
            award.contested.clear()
    floor.decided.append(set(order))
    return found


def _in_doubt_with(floor: Floor, round_: str) -> set[str]:
    doubtful = {round_}
    while True:
        more = {
            name
            for award in floor.awards.values()
            for name in (award.round, *award.contested)
            if award.contested and doubtful & {award.round, *award.contested}
        }
        if more <= doubtful:
            return doubtful
        doubtful |= more


def paid_to(floor: Floor, round_: str) -> dict[int, Decimal]:
    """What the winners of a round have been paid of its own prizes."""
    paid: dict[int, Decimal] = {}
    for award in floor.awards_of(round_):
        if award.state == "paid" and not award.granted:
            paid[award.seat] = paid.get(award.seat, Decimal()) + award.amount
    return paid


def _work_out_again(floor: Floor, meter: Meter, round_: str, paid: dict[int, Decimal]) -> None:
    """Each winner is owed what the new order gives, less what that winner has been paid."""
    settled = meter.settled[round_]
    for seat, hand in settled.winners.items():
        owed = settled.result.each(hand) - paid.get(seat, Decimal())
        held = [a for a in floor.awards_of(round_) if a.seat == seat and not a.granted]
        paid_before = [award for award in held if award.state == "paid"]
        open_ = [award for award in held if award.state not in ("paid", "voided")]
        if not open_ and owed > 0:
            name = f"{round_}/{seat}"
            while name in floor.awards and floor.awards[name].state == "paid":
                name += f"+{round_}"
            new = replace(paid_before[-1], hand=hand, state="pending", contested=set())
            new.recorded_by |= floor.rounds[round_].behind
            open_ = [new]
            floor.awards[name] = new
        for award in open_:
            award.amount = owed
            award.state = {"determined": "pending"}.get(award.state, award.state)
            if owed <= 0:
                award.state = "voided"
