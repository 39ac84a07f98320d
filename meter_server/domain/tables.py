"""A gaming table as the jackpot sees it: its game, its group, and what stands open on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from meter_server.domain.rulebook.games import GAMES, Game, GameKey

CLOSING_HANDS = 3
"""The hands' notice players are given before a table closes (AUT-16)."""


class TableState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


class Gate(StrEnum):
    """A condition for taking Jackpot wagers (WAG-2, WAG-3, SGN-1)."""

    AMOUNTS = "amounts"
    SETTLEMENT_TIMES = "settlement-times"
    METER_READING = "meter-reading"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most of the table's own bets; its sign shows them (WSOP 6.1)."""

    minimum_cents: int
    maximum_cents: int

    def raise_minimum_of(self, table: "Table") -> bool:
        """Whether they need a sign first; a table whose limits nobody kept has none to raise."""
        return table.limits is not None and self.minimum_cents > table.limits.minimum_cents


@dataclass(frozen=True, slots=True)
class Stake:
    """One Jackpot wager: what it cost, what it put on the meter, and in which epoch."""

    cost_micros: int
    credited_micros: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Carry:
    """Wagers that stand for the next round."""

    stakes: Mapping[int, Stake]
    whole: bool
    """Whether a whole game was carried: then a change of seats cancels it (WSOP 11.13)."""
    round_id: str


@dataclass(frozen=True, slots=True)
class Table:
    id: str
    game_key: GameKey
    seats: int
    limits: Limits | None = None
    """None only at a table that was defined before limits were kept."""
    meter_id: str | None = None
    state: TableState = TableState.OPEN
    hands_left: int | None = None
    """Counted down once the closing of the table is announced."""
    tournament: bool = False
    manual: bool = False
    failing: frozenset[Gate] = field(default_factory=frozenset)
    draining_for: str | None = None
    """The notice whose change waits for this table's open game."""
    open_round_id: str | None = None
    last_round_id: str | None = None
    carry: Carry | None = None

    @property
    def game(self) -> Game:
        """A group may mix games; each table plays and settles by its own (SYS-2, A-30)."""
        return GAMES[self.game_key]

    @property
    def game_open(self) -> bool:
        """A carried wager counts as an open game."""
        return self.open_round_id is not None or self.carry is not None


def round_over(table: Table) -> Table:
    """The table after its open round has ended, however it ended."""
    return replace(table, open_round_id=None, last_round_id=table.open_round_id)
