"""Signs at the tables, their clocks, and the changes they announce."""

from collections.abc import Callable

from tests.independent.places import clashes, others_terms, wrong_bets
from tests.independent.prizes import House
from tests.independent.state import Floor, Reasons, Request, Sign, needs
from tests.independent.transcription import (
    AREA,
    ASSISTANT,
    DARK_ALLOWED,
    SIGN_LIFE,
    SIGN_PERIOD,
)


def draft(floor: Floor, request: Request) -> Reasons:
    found = needs(request, ASSISTANT, second=True)
    if request["notice"] in floor.signs:
        found.add("already-exists")
    found |= _allowed(floor, request["change"])
    if request["change"]["what"] == "close" and not _names_nobody(floor, request["change"]):
        found |= _stranded(floor, request["change"])
    if not found:
        floor.signs[request["notice"]] = Sign(request["change"])
    return found


def show(floor: Floor, request: Request) -> Reasons:
    """The clock starts with the first report; a second one does not start it again."""
    sign = floor.signs.get(request["notice"])
    if sign is None:
        return {"unknown"}
    found = set() if request["by_hand"] is None else needs(request, AREA)
    found |= _ended(sign)
    if found:
        return found
    if request["table"] in sign.dark:
        _lit_again(sign, request["table"], request["at"])
    sign.since.setdefault(request["table"], request["at"])
    return found


def go_dark(floor: Floor, request: Request) -> Reasons:
    sign = floor.signs.get(request["notice"])
    if sign is None:
        return {"unknown"}
    found = _ended(sign)
    if found or request["table"] not in sign.since:
        return found
    sign.dark.setdefault(request["table"], request["dark"])
    if request["lit"] is not None:
        _lit_again(sign, request["table"], request["lit"])
    return found


def _lit_again(sign: Sign, table: str, now: int) -> None:
    """Dark for over a minute, and the clock starts again; it never starts earlier than it did."""
    if now - sign.dark.pop(table) > DARK_ALLOWED:
        sign.since[table] = max(sign.since[table], now)


def withdraw(floor: Floor, request: Request) -> Reasons:
    sign = floor.signs.get(request["notice"])
    if sign is None:
        return {"unknown"}
    found = needs(request, ASSISTANT) | _ended(sign)
    if not found:
        sign.state = "withdrawn"
        _play_on(floor, request["notice"])
    return found


def act(floor: Floor, request: Request) -> Reasons:
    """Make the change once the last sign has stood long enough and every game has ended."""
    sign = floor.signs.get(request["notice"])
    if sign is None:
        return {"unknown"}
    found = needs(request, ASSISTANT) | _ended(sign) | _allowed(floor, sign.change)
    tables = _tables(floor, sign.change)
    found |= _too_soon(sign, tables, request["at"], floor.house)
    found |= _not_now(floor, sign.change)
    if found:
        return found
    if sign.change["what"] == "minimum":
        # The least bet at the table is none of the jackpot's business: no game has to end.
        tables = []
    # Only a change of terms need not wait for a table that cannot be reached.
    excused = request["offline"] if sign.change["what"] == "terms" else []
    waiting = [name for name in tables if floor.tables[name].busy and name not in excused]
    if waiting:
        for name in tables:
            floor.tables[name].draining = request["notice"]
        return set()
    _MAKE[sign.change["what"]](floor, sign.change)
    sign.state = "used"
    for name in tables:
        floor.tables[name].draining = None
    return set()


def _play_on(floor: Floor, notice: str) -> None:
    for table in floor.tables.values():
        if table.draining == notice:
            table.draining = None


def _ended(sign: Sign) -> Reasons:
    return set() if sign.state == "drafted" else {"notice-ended"}


def _too_soon(sign: Sign, tables: list[str], now: int, house: House) -> Reasons:
    if not tables:
        return set()  # A system without tables has no sign to wait for.
    if any(name not in sign.since or name in sign.dark for name in tables):
        return {"notice-not-displayed"}
    period = house.terms_period if sign.change["what"] == "terms" else SIGN_PERIOD
    ready = max(sign.since[name] for name in tables) + period
    if now < ready:
        return {"notice-too-early"}
    return {"notice-ended"} if now > ready + SIGN_LIFE else set()


def _tables(floor: Floor, change: Request) -> list[str]:
    if change["what"] in ("add", "remove", "transfer", "minimum"):
        return [change["table"]]
    systems = [change["system"]] if change["what"] == "close" else list(change["terms"])
    return [name for system in systems for name in floor.tables_of(system)]


def _names_nobody(floor: Floor, change: Request) -> bool:
    tables = [change["table"]] if "table" in change else []
    named = (change.get("to"), change.get("system"))
    systems = [name for name in named if name is not None]
    systems += [*change.get("shares", ()), *change.get("terms", ())]
    return not (floor.tables.keys() >= set(tables) and floor.meters().keys() >= set(systems))


def _allowed(floor: Floor, change: Request) -> Reasons:
    if _names_nobody(floor, change):
        return {"unknown"}
    found: Reasons = set()
    meters = floor.meters()
    match change["what"]:
        case "add":
            if floor.tables[change["table"]].system is not None:
                found.add("table-in-a-group")
            if meters[change["to"]].closed:
                found.add("system-closed")
        case "remove":
            if floor.tables[change["table"]].system is None:
                found.add("table-in-no-group")
        case "transfer":
            source = floor.tables[change["table"]].system
            if meters[change["to"]].closed:
                found.add("system-closed")
            if source is None:
                return found | {"table-in-no-group"}
            if source == change["to"]:
                found.add("table-in-a-group")
            if floor.training[source] != floor.training[change["to"]]:
                found.add("training-mixed")
        case "close":
            found |= _closure_allowed(floor, change)
        case "terms":
            if any(meters[system].closed for system in change["terms"]):
                found.add("system-closed")
            found |= _terms_clash(floor, change)
        case "minimum":
            found |= wrong_bets(change["bets"])
            if change["bets"][0] <= floor.tables[change["table"]].bets[0]:
                found.add("notice-not-needed")
    return found


def _closure_allowed(floor: Floor, change: Request) -> Reasons:
    system, shares = change["system"], change["shares"]
    found: Reasons = set()
    if any(floor.meter(name).closed for name in (system, *shares)):
        found.add("system-closed")
    if any(floor.training[name] != floor.training[system] for name in shares):
        found.add("training-mixed")
    whole = not shares or sum(shares.values()) == 10_000
    if system in shares or not whole or any(share <= 0 for share in shares.values()):
        found.add("shares-not-whole")
    return found


def _not_now(floor: Floor, change: Request) -> Reasons:
    """What stands in the way of a closure, known before any table stops for it."""
    if change["what"] != "close":
        return set()
    found = _stranded(floor, change)
    system = change["system"]
    if any(award.system == system and award.undecided for award in floor.awards.values()):
        found.add("prize-undetermined")
    return found


def _stranded(floor: Floor, change: Request) -> Reasons:
    """More than seed x cost on the meter, and no system to receive it."""
    meter = floor.meter(change["system"])
    if meter.value > meter.terms.reseed and not change["shares"]:
        return {"nowhere-to-transfer"}
    return set()


def _terms_clash(floor: Floor, change: Request) -> Reasons:
    changed = {
        system: floor.terms(terms)
        for system, terms in change["terms"].items()
        if not floor.training[system]
    }
    return clashes(others_terms(floor, tuple(changed)) | changed)


def _move(floor: Floor, change: Request) -> None:
    floor.tables[change["table"]].system = change.get("to")


def _minimum(floor: Floor, change: Request) -> None:
    floor.tables[change["table"]].bets = change["bets"]


def _close(floor: Floor, change: Request) -> None:
    floor.books.write("closed", change["system"], change["shares"])
    for name in floor.tables_of(change["system"]):
        floor.tables[name].system = None


def _terms(floor: Floor, change: Request) -> None:
    for system, terms in sorted(change["terms"].items()):
        floor.books.write("new terms", system, floor.terms(terms))


_MAKE: dict[str, Callable[[Floor, Request], None]] = {
    "add": _move,
    "remove": _move,
    "transfer": _move,
    "close": _close,
    "terms": _terms,
    "minimum": _minimum,
}
