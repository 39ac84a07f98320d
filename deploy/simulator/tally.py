"""What was dealt, against what a deck deals in the long run.

Floats are good enough here: these are chances, and no money moves by them.
"""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import exp, sqrt

from meter_server.domain.hands import Hand
from meter_server.domain.odds import hands_dealt, theoretical_return, ways
from meter_server.domain.rulebook.terms import SeedRow, Terms

Z = 3.29
"""Of a normal figure, one in a thousand lies farther off."""
_ONE_IN = 1_000
_FEW = 12


@dataclass(frozen=True)
class Seen:
    """A figure of the evening beside the one that the odds give, and its band."""

    value: float
    expected: float
    low: float
    high: float

    @property
    def within(self) -> bool:
        return self.low <= self.value <= self.high

    def times(self, factor: float) -> "Seen":
        return Seen(*(factor * one for one in (self.value, self.expected, self.low, self.high)))


class Tally:
    """Of shuffled decks only. Hands of one round share cards, so rounds are what is independent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[Hand] = Counter()
        self._squares = dict.fromkeys(_CHANCES, 0.0)
        self._dealt = 0
        self.folded = 0

    def add(self, hands: Iterable[Hand], folded: int) -> None:
        counts = Counter(hands)
        dealt = counts.total()
        with self._lock:
            self._dealt += dealt
            self.folded += folded
            self._counts += counts
            for hand, chance in _CHANCES.items():
                self._squares[hand] += (counts[hand] - chance * dealt) ** 2

    @property
    def dealt(self) -> int:
        return self._dealt

    def seen(self) -> Iterator[tuple[Hand, Seen]]:
        for hand, chance in _CHANCES.items():
            expected = chance * self._dealt
            yield hand, Seen(self._counts[hand], expected, *self._band(hand, expected))

    def _band(self, hand: Hand, expected: float) -> tuple[float, float]:
        if expected < _FEW:
            return 0.0, float(_poisson_limit(expected))
        off = Z * sqrt(max(self._squares[hand], expected))
        return max(0.0, expected - off), expected + off


def _poisson_limit(expected: float) -> int:
    """The least number that is exceeded less than once in a thousand evenings."""
    count, term = 0, exp(-expected)
    left = 1 - term
    while left > 1 / _ONE_IN:
        count += 1
        term *= expected / count
        left -= term
    return count


def returned(terms: Terms, wagers: int, paid_share: float) -> Seen:
    """The share of all wagers that came back, against the return that the printed row is made for.

    Its band is as wide as rare and large prizes make it. The mean royal stands for all of them.
    """
    designed = theoretical_return(terms.option, SeedRow(terms.seed_dollars, terms.rate_bp))
    royal = float(designed.mean_royal_dollars)
    prizes = {Hand.ROYAL_FLUSH: royal, Hand.STRAIGHT_FLUSH: royal / 10}
    prizes |= {hand: float(dollars) for hand, dollars in terms.option.bonus_dollars}
    variance = sum(_CHANCES[hand] * dollars**2 for hand, dollars in prizes.items())
    off = Z * sqrt(variance / wagers) if wagers else 0.0
    expected = float(designed.total)
    return Seen(paid_share, expected, max(0.0, expected - off), expected + off)


_CHANCES: Mapping[Hand, float] = {hand: count / hands_dealt() for hand, count in ways().items()}
