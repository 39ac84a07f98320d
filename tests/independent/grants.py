"""What winners get on top because records were put right."""

from collections.abc import Iterable
from decimal import Decimal

from tests.independent.books import Meter, Winner, would_have_won
from tests.independent.state import Award, Floor, Reasons, Request, behind, needs
from tests.independent.transcription import ASSISTANT


def grant_top_up(floor: Floor, request: Request) -> Reasons:
    """A winner gets what is missing to what one look at the whole day gives."""
    award = floor.awards.get(request["award"])
    if award is None or request["corrected"] not in floor.rounds:
        return {"unknown"}
    found = needs(request, ASSISTANT, second=True)
    meter = floor.meter(award.system)
    if meter.closed:
        found.add("system-closed")
    if award.contested:
        found.add("order-contested")
    winner = award.round, award.seat
    right = would_have_won(meter, _kept(floor, award.system))
    missing = right.get(winner, Decimal()) - _held(floor, award.system).get(winner, Decimal())
    is_first = request["award"] == f"{award.round}/{award.seat}"
    if (
        award.state == "voided"
        or not is_first
        or missing <= 0
        or not _is_put_right_before(meter, request["corrected"], award.round)
    ):
        found.add("nothing-differs")
    if found:
        return found
    key = request["award"]
    while key in floor.awards and (key == request["award"] or floor.awards[key].state == "paid"):
        key += f"+{request['corrected']}"
    floor.books.write("granted", award.system, key, missing)
    by = award.recorded_by | behind(request)
    new = Award(award.round, award.system, award.seat, award.hand, missing, by, award.agent_at)
    new.granted = True
    if award.state == "withheld":
        new.state = "withheld"
    floor.awards[key] = new
    return set()


def _is_put_right_before(meter: Meter, corrected: str, later: str) -> bool:
    turns = meter.in_turn()
    return (
        corrected in turns
        and meter.settled[corrected].put_right
        and turns.index(corrected) < turns.index(later)
    )


def take_back_grants(floor: Floor, system: str, meter: Meter) -> Decimal:
    """Of a meter put right: whatever was granted, is not paid, and is not right any more."""
    kept = _kept(floor, system)
    right = would_have_won(meter, kept)
    back = Decimal()
    for award in _on(floor, system):
        winner = award.round, award.seat
        missing = right.get(winner, Decimal()) - kept.get(winner, Decimal())
        hand = meter.settled[award.round].winners.get(award.seat)
        if _may_go_back(award) and (missing != award.amount or hand != award.hand):
            award.state = "voided"
            back += award.amount
    return back


def differing(
    floor: Floor, system: str, put_right: Iterable[str]
) -> dict[Winner, tuple[Decimal, Decimal]]:
    """From the first of the rounds put right on: what each has, and what it would have won."""
    meter = floor.meter(system)
    turns = meter.in_turn()
    first = min(map(turns.index, put_right))
    right, held = would_have_won(meter, _kept(floor, system)), _held(floor, system)
    return {
        winner: (held.get(winner, Decimal()), right.get(winner, Decimal()))
        for winner in {*right, *held}
        if turns.index(winner[0]) >= first
        and held.get(winner, Decimal()) != right.get(winner, Decimal())
    }


def _may_go_back(award: Award) -> bool:
    return award.granted and award.state not in ("paid", "voided")


def _kept(floor: Floor, system: str) -> dict[Winner, Decimal]:
    """What nobody takes away: prizes as recorded or corrected, and what is paid on top."""
    return _added(award for award in _on(floor, system) if not _may_go_back(award))


def _held(floor: Floor, system: str) -> dict[Winner, Decimal]:
    return _added(_on(floor, system))


def _on(floor: Floor, system: str) -> list[Award]:
    return [
        award
        for award in floor.awards.values()
        if award.system == system and award.state != "voided"
    ]


def _added(awards: Iterable[Award]) -> dict[Winner, Decimal]:
    found: dict[Winner, Decimal] = {}
    for award in awards:
        winner = award.round, award.seat
        found[winner] = found.get(winner, Decimal()) + award.amount
    return found
