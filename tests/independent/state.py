"""What the second model remembers of the floor besides its books. Plain values only."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.independent.books import Books, Meter, Winner
from tests.independent.prizes import House, Terms
from tests.independent.transcription import LADDER

Request = dict[str, Any]
Reasons = set[str]

MILLION = 1_000_000


def in_dollars(micros: int) -> Decimal:
    return Decimal(micros) / MILLION


@dataclass
class Table:
    game: str
    seats: int
    bets: tuple[int, int]
    system: str | None = None
    open: bool = False
    hands_left: int | None = None
    tournament: bool = False
    manual: bool = False
    failing: tuple[str, ...] = ()
    draining: str | None = None
    playing: str | None = None
    latest: str | None = None
    """The round registered last, whether or not it has ended."""
    standing: dict[int, str] = field(default_factory=dict)
    """Wagers that stand for the next round, by seat."""
    standing_whole: bool = False
    standing_from: str = ""

    @property
    def busy(self) -> bool:
        return self.playing is not None or bool(self.standing)


@dataclass
class Place:
    wager: str
    state: str = "live"
    hand: str | None = None
    by_cards: bool = False


@dataclass
class Round:
    table: str
    system: str
    game: str
    terms: Terms
    places: dict[int, Place]
    state: str = "registered"
    agent_at: int | None = None
    """When its table says its outcome was recorded."""
    behind: frozenset[str] = frozenset()
    on_paper: bool = False

    def seats(self, *states: str) -> set[int]:
        return {seat for seat, place in self.places.items() if place.state in states}


@dataclass
class Award:
    round: str
    system: str
    seat: int
    hand: str
    amount: Decimal
    recorded_by: frozenset[str]
    """Whoever recorded it, approved or confirmed the record, also before a correction."""
    agent_at: int | None
    state: str = "pending"
    contested: set[str] = field(default_factory=set)
    granted: bool = False
    """Given on top of the round's own prize, because of another round's correction."""

    @property
    def undecided(self) -> bool:
        return self.state in ("pending", "withheld")


@dataclass
class Sign:
    """A notice: what it announces, and since when each table's sign has shown it."""

    change: Request
    state: str = "drafted"
    since: dict[str, int] = field(default_factory=dict)
    dark: dict[str, int] = field(default_factory=dict)


@dataclass
class Floor:
    house: House = field(default_factory=House)
    books: Books = field(default_factory=Books)
    tables: dict[str, Table] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    signs: dict[str, Sign] = field(default_factory=dict)
    training: dict[str, bool] = field(default_factory=dict)
    decided: list[set[str]] = field(default_factory=list)
    """Rounds about whose order somebody has decided, each time."""
    differing: dict[Winner, tuple[Decimal, Decimal]] = field(default_factory=dict)
    """After a correction: what each winner has and would have won, where the two differ."""

    def terms(self, terms: tuple[int, int, int]) -> Terms:
        option, seed, cost_cents = terms
        return Terms(option, seed, cost_cents, self.house)

    def meter(self, system: str) -> Meter:
        return self.books.meter(system)

    def meters(self) -> dict[str, Meter]:
        return self.books.now().meters

    def tables_of(self, system: str) -> list[str]:
        return [name for name, table in self.tables.items() if table.system == system]

    def awards_of(self, round_: str) -> list[Award]:
        return [award for award in self.awards.values() if award.round == round_]

    def take_wagers(
        self, round_: str, system: str, seats: set[int], terms: Terms
    ) -> dict[int, str]:
        """New wagers of a round, each counted once, at the terms they were placed under."""
        taken = len(self.books.now().wagers)
        wagers = {
            seat: f"{round_} seat {seat} no {taken + number}"
            for number, seat in enumerate(sorted(seats))
        }
        self.books.write("wagered", system, list(wagers.values()), terms)
        return wagers


def may(request: Request, rank: str) -> bool:
    """Whether the person who acts, or the one who approves, has the rank or a higher one."""
    return _level(request, "who", rank) or _level(request, "approver", rank)


def behind(request: Request) -> frozenset[str]:
    """Who asked for it, approved it and confirmed it."""
    roles = ("who", "approver", "second")
    return frozenset(request[role][0] for role in roles if request.get(role))


def _level(request: Request, role: str, rank: str) -> bool:
    person = request.get(role)
    return person is not None and LADDER.index(person[1]) >= LADDER.index(rank)


def needs(request: Request, rank: str, *, second: bool = False) -> Reasons:
    found = set() if may(request, rank) else {"not-authorised"}
    if second and not two_persons(request):
        found.add("second-person-needed")
    return found


def two_persons(request: Request) -> bool:
    second = request.get("second")
    return second is not None and second[0] != request["who"][0]
