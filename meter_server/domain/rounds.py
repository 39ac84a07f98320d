"""A round of play at one table, as far as its jackpot game goes.

registered -> settled | carried | cancelled | refunded. Nothing ends twice (IRR-4).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.games import GAMES, Game, GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement
from meter_server.domain.tables import Stake


class RoundState(StrEnum):
    REGISTERED = "registered"
    SETTLED = "settled"
    CARRIED = "carried"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


class SeatState(StrEnum):
    LIVE = "live"
    FOLDED = "folded"
    CARRIED = "carried"
    RETURNED = "returned"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Seat:
    state: SeatState
    stake: Stake
    hand: Hand | None = None
    by_cards: bool = False
    """Its cards were recorded, and the hand is what they make (SET-11)."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What the recorded outcome did: kept for corrections (A-58)."""

    statement: Statement
    prizes_micros: int
    """Prizes in effect, corrections included."""
    top_up_micros: int
    """What the reset of this settlement added, corrections included."""
    bonus_micros: Mapping[int, int]
    meter_seq: int
    at_us: int
    agent_at_us: int | None
    recorded_by: str
    behind: frozenset[str] = frozenset()
    """Whoever recorded it, approved or confirmed its record, or any correction of it (AUT-2)."""
    voided: bool = False
    put_right_seq: int | None = None
    """The entry that put it right last, if one did."""

    @property
    def stands_by(self) -> int:
        """The entry by which it stands as it does: whoever puts it right has seen that one."""
        return self.put_right_seq or self.meter_seq

    @property
    def after_micros(self) -> int:
        """Where it left the meter, with prizes and top-up as they are in effect."""
        return self.statement.meter_micros - self.prizes_micros + self.top_up_micros


@dataclass(frozen=True, slots=True)
class Round:
    id: str
    table_id: str
    meter_id: str
    game_key: GameKey
    terms: Terms
    """The terms the wagers were registered under, and so settle under (A-56)."""
    seats: Mapping[int, Seat]
    state: RoundState = RoundState.REGISTERED
    on_paper: bool = False
    """Registered from paper: what becomes of it comes from paper too (A-57)."""
    settled: Settled | None = None

    @property
    def game(self) -> Game:
        return GAMES[self.game_key]

    def in_state(self, *states: SeatState) -> frozenset[int]:
        return frozenset(seat for seat, held in self.seats.items() if held.state in states)

    def stakes(self, seats: Iterable[int]) -> dict[int, Stake]:
        return {seat: self.seats[seat].stake for seat in sorted(seats)}


def with_seats(round_: Round, seats: Iterable[int], state: SeatState) -> Round:
    moved = {seat: replace(round_.seats[seat], state=state) for seat in seats}
    return replace(round_, seats={**round_.seats, **moved})
