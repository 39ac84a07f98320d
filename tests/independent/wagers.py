"""Registering the wagers of a round."""

from tests.independent.places import give_back_standing
from tests.independent.state import Floor, Place, Reasons, Request, Round, Table, needs, two_persons
from tests.independent.transcription import DEALER, HIGHER


def register(floor: Floor, request: Request) -> Reasons:
    table = floor.tables[request["table"]]
    found = _why_not(floor, table, request)
    if found:
        return found
    assert table.system is not None
    seats = set(request["seats"])
    kept = _carried_on(floor, table, seats)
    terms = floor.meter(table.system).terms
    fresh = floor.take_wagers(request["round"], table.system, seats - set(kept), terms)
    floor.rounds[request["round"]] = Round(
        request["table"],
        table.system,
        table.game,
        terms,
        {seat: Place(wager) for seat, wager in (kept | fresh).items()},
        on_paper=request["paper"] is not None,
    )
    table.playing = table.latest = request["round"]
    return set()


def _carried_on(floor: Floor, table: Table, seats: set[int]) -> dict[int, str]:
    """The wagers that stand and are played on: they contributed once and add nothing.

    When a whole game was carried, a player more or less cancels it; all are registered anew.
    A hand carried by itself goes on, or goes back by itself. A wager placed under other terms
    than run by now goes back: one option's contributions never meet the other's payouts.
    """
    standing = table.standing
    if (table.standing_whole and set(standing) != seats) or _terms_changed(floor, table):
        give_back_standing(floor, table)
        return {}
    gone = [wager for seat, wager in standing.items() if seat not in seats]
    if gone:
        assert table.system is not None
        floor.books.write("returned", table.system, gone)
    table.standing = {}
    return {seat: wager for seat, wager in standing.items() if seat in seats}


def _terms_changed(floor: Floor, table: Table) -> bool:
    assert table.system is not None
    terms = floor.meter(table.system).terms
    placed = floor.books.now().wagers
    return any(placed[wager] != terms for wager in table.standing.values())


def _why_not(floor: Floor, table: Table, request: Request) -> Reasons:
    found = needs(request, DEALER) | paper_faults(table, request)
    if table.manual and request["paper"] is None:
        found.add("manual-on-paper")
    seats = set(request["seats"])
    if request["round"] in floor.rounds:
        found.add("already-exists")
    if table.system is None:
        found.add("table-in-no-group")
    elif request["cost_cents"] != floor.meter(table.system).terms.cost_cents:
        found.add("wrong-cost")
    if not table.open or table.hands_left == 0:
        found.add("table-closed")
    if table.tournament:
        found.add("tournament")
    if not table.manual and set(table.failing) - {"display"}:
        found.add("not-operating")
    if not table.manual and "display" in table.failing:
        found.add("display-not-operating")
    if table.playing is not None:
        found.add("game-open")
    if table.draining is not None and seats != set(table.standing):
        found.add("draining")
    return found | seat_faults(table, seats)


def seat_faults(table: Table, seats: set[int]) -> Reasons:
    found = set() if seats else {"no-seats"}
    if any(not 1 <= seat <= table.seats for seat in seats):
        found.add("seat-not-at-table")
    return found


def paper_faults(table: Table, request: Request) -> Reasons:
    """Paper is keyed in by two persons, and only where manual arrangements stand."""
    if request["paper"] is None:
        return set()
    found = needs(request, HIGHER)
    if not two_persons(request):
        found.add("second-person-needed")
    if not table.manual:
        found.add("manual-not-declared")
    if request["agent_at"] is not None and request["agent_at"] > request["at"]:
        found.add("manual-on-paper")
    return found
