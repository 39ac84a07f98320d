"""What royal and straight flushes win, in dollars, by the formulas as they are printed."""

from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.independent.transcription import BONUS, PERCENT

CENT = Decimal("0.01")


@cache
def _dollars(cents: int) -> Decimal:
    return Decimal(cents) / 100


@cache
def _part(cents: int, percent: str) -> Decimal:
    return _dollars(cents) * Decimal(percent) / 100


class Terms(NamedTuple):
    option: int
    seed: int
    cost_cents: int

    @property
    def cost(self) -> Decimal:
        return _dollars(self.cost_cents)

    @property
    def reseed(self) -> Decimal:
        """r: the seed for each $1 times the cost."""
        return self.seed * self.cost

    @property
    def contribution(self) -> Decimal:
        return _part(self.cost_cents, PERCENT[self.option][self.seed])

    def bonus(self, hand: str | None) -> Decimal:
        return BONUS[self.option].get(hand or "", 0) * self.cost


class Result(NamedTuple):
    """A settlement: what each hand wins, and where the meter is left."""

    meter: Decimal
    royal: Decimal
    straight_flush: Decimal
    paid: Decimal
    reset: bool
    after: Decimal

    def each(self, hand: str) -> Decimal:
        return self.royal if hand == "royal-flush" else self.straight_flush

    @property
    def top_up(self) -> Decimal:
        return self.after - (self.meter - self.paid)


def settle(
    terms: Terms, meter: Decimal, royals: int, straight_flushes: int, reseed: Decimal
) -> Result:
    j = Fraction(meter.to_integral_value(ROUND_CEILING))
    r = Fraction(terms.reseed)
    royal = straight_flush = Decimal(0)
    if royals:
        part = (j + r * (royals - 1)) / (10 * royals + straight_flushes)
        royal = _payable(10 * part)
        straight_flush = _payable(part) if straight_flushes else Decimal(0)
    elif straight_flushes:
        tenths = sum(Fraction(9 ** (k - 1), 10**k) for k in range(1, straight_flushes + 1))
        straight_flush = _payable((j - r) * tenths / straight_flushes + r / 10)
    paid = royals * royal + straight_flushes * straight_flush
    left = meter - paid
    reset = royals > 1 or left < reseed
    return Result(meter, royal, straight_flush, paid, reset, reseed if reset else left)


def _payable(amount: Fraction) -> Decimal:
    """The next higher whole cent."""
    cents, rest = divmod(amount * 100, 1)
    return (int(cents) + (1 if rest else 0)) * CENT
