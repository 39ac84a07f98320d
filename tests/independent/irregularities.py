"""Irregularities: carry, regroup, refund, or play on."""

from collections.abc import Callable

from tests.independent.outcomes import ended
from tests.independent.places import give_back_standing
from tests.independent.state import Floor, Place, Reasons, Request, Round, Table, needs
from tests.independent.transcription import ADMITS, CASES, LADDER
from tests.independent.wagers import paper_faults, seat_faults


def declare(floor: Floor, request: Request) -> Reasons:
    table = floor.tables[request["table"]]
    effect = CASES.get(request["case"], {}).get(table.game)
    if effect is None:
        return {"case-not-provided"}
    found = _who(request, effect.rank) | _of_another_table(floor, request)
    found |= _paper(floor, table, request, carried=effect.what == "cancel carried")
    if request["joining"]:
        found |= seat_faults(table, set(request["joining"]))
    if effect.what == "settle":
        return found | {"record-outcome-instead"}
    if effect.what == "cancel carried":
        return _cancel_carried(floor, table, request, found)
    named_round = request["round"] or table.latest
    if named_round is None:
        return found | {"round-ended"}
    if named_round not in floor.rounds:
        return found
    round_ = floor.rounds[named_round]
    found |= ended(round_)
    named = set(request["seats"])
    if effect.what in ("carry hands", "forfeit", "regroup"):
        found |= _seats_in_order(table, round_, request)
    if not found:
        _DO[effect.what](floor, table, round_, named, set(request["joining"]))
    return found


def _who(request: Request, rank: str) -> Reasons:
    """Of two who key in paper, either has the rank of the case."""
    second = request["second"] if request["paper"] is not None else None
    if second is not None and LADDER.index(second[1]) >= LADDER.index(rank):
        return set()
    return needs(request, rank)


def _of_another_table(floor: Floor, request: Request) -> Reasons:
    round_ = floor.rounds.get(request["round"])
    elsewhere = round_ is None or round_.table != request["table"]
    return {"unknown"} if request["round"] is not None and elsewhere else set()


def _paper(floor: Floor, table: Table, request: Request, *, carried: bool) -> Reasons:
    """A round begun on paper is told of on paper, and paper says when it was written.

    What stands from such a round is told of without, once the table plays on the system again.
    """
    about = (table.standing_from if table.standing else None) if carried else table.playing
    begun_on_paper = about is not None and floor.rounds[about].on_paper
    found = paper_faults(table, request)
    if begun_on_paper:
        found.discard("manual-not-declared")
    if request["paper"] is not None and request["agent_at"] is None:
        found.add("manual-on-paper")
    if request["paper"] is None and begun_on_paper and (table.manual or not carried):
        found.add("manual-on-paper")
    return found


def _seats_in_order(table: Table, round_: Round, request: Request) -> Reasons:
    named, joining = set(request["seats"]), set(request["joining"])
    admits = request["case"] == ADMITS
    found: Reasons = set()
    if named - round_.seats("live"):
        found.add("seat-without-wager")
    if not named and not (admits and joining):
        found.add("seats-not-named")
    regroups = CASES[request["case"]][table.game].what == "regroup"
    if joining and regroups and not admits:
        found.add("seats-not-named")
    if admits and joining & (set(round_.places) - round_.seats("returned")):
        found.add("seat-has-wager")
    return found


def _play_on(*_: object) -> None:
    """Eligibility stands."""


def _carry(
    _floor: Floor, table: Table, round_: Round, _named: set[int], _joining: set[int]
) -> None:
    """Every wager of a void round stands for the next, beside hands carried already."""
    for seat in round_.seats("live", "folded"):
        table.standing[seat] = round_.places[seat].wager
        round_.places[seat].state = "carried"
    table.standing_whole, table.standing_from = True, str(table.playing)
    round_.state, table.playing = "carried", None


def _carry_hands(
    _floor: Floor, table: Table, round_: Round, named: set[int], _joining: set[int]
) -> None:
    for seat in named:
        table.standing[seat] = round_.places[seat].wager
        round_.places[seat].state = "carried"
    table.standing_whole, table.standing_from = False, str(table.playing)


def _regroup(floor: Floor, table: Table, round_: Round, named: set[int], joining: set[int]) -> None:
    """All live wagers are taken back; those that remain are wagered again, under its terms."""
    live = round_.seats("live")
    floor.books.write(
        "returned", round_.system, [round_.places[seat].wager for seat in sorted(live)]
    )
    for seat in named:
        round_.places[seat].state = "returned"
    remaining = (live - named) | joining
    if not remaining:
        round_.state, table.playing = "cancelled", None
        return
    again = floor.take_wagers(str(table.playing), round_.system, remaining, round_.terms)
    round_.places |= {seat: Place(wager) for seat, wager in again.items()}


def _refund(
    floor: Floor, table: Table, round_: Round, _named: set[int], _joining: set[int]
) -> None:
    give_back(floor, round_)
    table.playing = None


def give_back(floor: Floor, round_: Round) -> None:
    """Every wager of the round goes back, folded ones too; a forfeited one is lost."""
    seats = sorted(round_.seats("live", "folded"))
    floor.books.write("returned", round_.system, [round_.places[seat].wager for seat in seats])
    for seat in seats:
        round_.places[seat].state = "returned"
    round_.state = "refunded"


def _forfeit(
    _floor: Floor, _table: Table, round_: Round, named: set[int], _joining: set[int]
) -> None:
    for seat in named:
        round_.places[seat].state = "forfeited"


_DO: dict[str, Callable[[Floor, Table, Round, set[int], set[int]], None]] = {
    "play on": _play_on,
    "carry": _carry,
    "carry hands": _carry_hands,
    "regroup": _regroup,
    "refund": _refund,
    "forfeit": _forfeit,
}


def _cancel_carried(floor: Floor, table: Table, request: Request, found: Reasons) -> Reasons:
    named = set(request["seats"])
    of_another = request["round"] not in (None, table.standing_from)
    if not table.standing or table.playing is not None or of_another:
        return found | {"nothing-carried"}
    if named - set(table.standing):
        found.add("seat-without-wager")
    if not named and (not table.standing_whole or request["case"] == "misdeal-player-leaves"):
        found.add("seats-not-named")
    if found:
        return found
    if table.standing_whole:
        give_back_standing(floor, table)
        return found
    assert table.system is not None
    floor.books.write(
        "returned", table.system, [table.standing.pop(seat) for seat in sorted(named)]
    )
    return found
