"""Prizes after the record: determined, withheld, paid, and orders decided."""

from tests.independent.state import Award, Floor, Reasons, Request, in_dollars, needs
from tests.independent.transcription import ASSISTANT, DEALER, LADDER


def determine(floor: Floor, request: Request) -> Reasons:
    award = floor.awards.get(request["award"])
    if award is None:
        return {"unknown"}
    found = needs(request, ASSISTANT)
    people = [request[role] for role in ("who", "approver") if request.get(role)]
    deciding = [person for person in people if person[1] == LADDER[-1]]
    if deciding and deciding[0][0] == award.recorded_by:
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
    if not award.undecided:
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
    first, second = request["earlier"], request["later"]
    if first not in floor.rounds or second not in floor.rounds:
        return {"unknown"}
    found = needs(request, ASSISTANT)
    awards = [*floor.awards_of(first), *floor.awards_of(second)]
    if not any(award.contested & {first, second} for award in awards):
        return found | {"order-not-contested"}
    system = floor.rounds[first].system
    recorded = list(floor.meter(system).settled)
    turned = recorded.index(first) > recorded.index(second)
    if turned and any(award.state == "paid" for award in awards):
        found.add("already-paid")
    if found:
        return found
    if turned:
        floor.books.write("order turned", system, second, first)
        for award in awards:
            if not award.granted:
                _work_out_again(floor, award)
    for award in awards:
        award.contested -= {first, second}
    return found


def _work_out_again(floor: Floor, award: Award) -> None:
    award.amount = floor.meter(award.system).settled[award.round].result.each(award.hand)
    if award.state == "determined":
        award.state = "pending"
