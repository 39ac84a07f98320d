"""Systems and tables: opened, closed, set apart."""

from itertools import combinations

from tests.independent.prizes import Terms
from tests.independent.state import Floor, Reasons, Request, Table, in_dollars, needs
from tests.independent.transcription import (
    AREA,
    ASSISTANT,
    CLOSING_HANDS,
    DEALER,
    HIGHER,
    SEATS_MOST,
)


def define_table(floor: Floor, request: Request) -> Reasons:
    found = needs(request, ASSISTANT)
    if request["table"] in floor.tables:
        found.add("already-exists")
    if not 1 <= request["seats"] <= SEATS_MOST:
        found.add("seat-not-at-table")
    found |= wrong_bets(request["bets"])
    if not found:
        floor.tables[request["table"]] = Table(request["game"], request["seats"], request["bets"])
    return found


def wrong_bets(bets: tuple[int, int]) -> Reasons:
    least, most = bets
    return {"wrong-limits"} if least < 1 or most < least else set()


def open_system(floor: Floor, request: Request) -> Reasons:
    found = needs(request, ASSISTANT, second=True)
    terms = floor.terms(request["terms"])
    value = terms.reseed if request["value"] is None else in_dollars(request["value"])
    if request["system"] in floor.meters():
        found.add("already-exists")
    if value < terms.reseed:
        found.add("opening-below-seed")
    if any(name not in floor.tables for name in request["tables"]):
        return found | {"unknown"}
    if any(floor.tables[name].system for name in request["tables"]):
        found.add("table-in-a-group")
    if not request["training"]:
        found |= clashes(others_terms(floor, ()) | {request["system"]: terms})
    if not found:
        floor.training[request["system"]] = request["training"]
        for name in request["tables"]:
            floor.tables[name].system = request["system"]
        floor.books.write("opened", request["system"], terms, value)
    return found


def others_terms(floor: Floor, without: tuple[str, ...]) -> dict[str, Terms]:
    """The terms of the open systems; training plays by itself."""
    return {
        name: meter.terms
        for name, meter in floor.meters().items()
        if not meter.closed and not floor.training[name] and name not in without
    }


def clashes(systems: dict[str, Terms]) -> Reasons:
    """Every cost differs between systems; option and seed are the same in all."""
    found = set()
    for one, other in combinations(systems.values(), 2):
        if one.cost_cents == other.cost_cents:
            found.add("cost-taken")
        if (one.option, one.seed) != (other.option, other.seed):
            found.add("terms-differ")
    return found


def top_up(floor: Floor, request: Request) -> Reasons:
    found = needs(request, ASSISTANT, second=True)
    meter = floor.meters().get(request["system"])
    if meter is None:
        return found | {"unknown"}
    if meter.closed:
        found.add("system-closed")
    if request["amount"] <= 0:
        found.add("nothing-added")
    if not found:
        floor.books.write("extra", request["system"], in_dollars(request["amount"]))
    return found


def open_table(floor: Floor, request: Request) -> Reasons:
    table = floor.tables[request["table"]]
    found = needs(request, HIGHER)
    if not found:
        table.open, table.hands_left = True, None
    return found


def close_table(floor: Floor, request: Request) -> Reasons:
    """Three hands' notice where players sit; at once where nobody does."""
    table = floor.tables[request["table"]]
    found = needs(request, HIGHER)
    if request["players"]:
        if not found and table.open and table.hands_left is None:
            table.hands_left = CLOSING_HANDS + (1 if table.playing else 0)
        return found
    if table.playing is not None:
        found.add("game-open")
    if not found:
        shut(floor, table)
    return found


def shut(floor: Floor, table: Table) -> None:
    """A closed table keeps nobody's wager."""
    give_back_standing(floor, table)
    table.open, table.hands_left = False, None


def give_back_standing(floor: Floor, table: Table) -> None:
    """Cancel what stands for the next round: all of it goes back."""
    if not table.standing:
        return
    assert table.system is not None
    floor.books.write("returned", table.system, list(table.standing.values()))
    if table.standing_whole:
        floor.rounds[table.standing_from].state = "cancelled"
    table.standing = {}


def set_tournament(floor: Floor, request: Request) -> Reasons:
    table = floor.tables[request["table"]]
    found = needs(request, HIGHER)
    if request["on"] and table.busy:
        found.add("game-open")
    if not found:
        table.tournament = request["on"]
    return found


def set_manual(floor: Floor, request: Request) -> Reasons:
    found = needs(request, AREA)
    if not found:
        floor.tables[request["table"]].manual = request["on"]
    return found


def set_limits(floor: Floor, request: Request) -> Reasons:
    """Other limits at once, unless the least bet rises: that takes a sign."""
    table = floor.tables[request["table"]]
    found = needs(request, AREA) | wrong_bets(request["bets"])
    if request["bets"][0] > table.bets[0]:
        found.add("notice-needed")
    if not found:
        table.bets = request["bets"]
    return found


def report_gates(floor: Floor, request: Request) -> Reasons:
    found = needs(request, DEALER)
    if not found:
        floor.tables[request["table"]].failing = tuple(request["failing"])
    return found
