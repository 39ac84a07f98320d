"""Prizes after the record: determined, withheld, paid, and orders decided."""

from decimal import Decimal

from tests.independent.books import Meter
from tests.independent.grants import differing, take_back_grants
from tests.independent.state import Award, Floor, Reasons, Request, in_dollars, needs
from tests.independent.transcription import ASSISTANT, DEALER, LADDER


def determine(floor: Floor, request: Request) -> Reasons:
    award = floor.awards.get(request["award"])
    if award is None:
        return {"unknown"}
    found = needs(request, ASSISTANT)
    people = [request[role] for role in ("who", "approver") if request.get(role)]
    deciding = [person for person in people if person[1] == LADDER[-1]]
    if deciding and deciding[0][0] in award.recorded_by:
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
    doubtful = _in_doubt_with(floor, order[0])
    if len(doubtful) < 2 or sorted(order) != sorted(doubtful):
        return found | {"order-not-contested"}
    system = floor.rounds[order[0]].system
    so_far = [round_ for round_ in floor.meter(system).in_turn() if round_ in doubtful]
    awards = [award for round_ in order for award in floor.awards_of(round_)]
    if order != so_far and any(award.state == "paid" for award in awards):
        found.add("already-paid")
    if found:
        return found
    floor.differing = {}
    if order != so_far:
        event = ("order decided", system, tuple(order))
        meter = floor.books.meter_after(*event, Decimal())
        for award in awards:
            if not award.granted and award.state != "voided":
                _work_out_again(meter, award)
        floor.books.write(*event, take_back_grants(floor, system, meter))
        floor.differing = differing(floor, system, order)
    for award in awards:
        award.contested.clear()
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


def _work_out_again(meter: Meter, award: Award) -> None:
    award.amount = meter.settled[award.round].result.each(award.hand)
    if award.state == "determined":
        award.state = "pending"
