"""What royal and straight flushes win, in dollars, by the formulas as they are printed."""

from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.independent.printed_tables import (
    THREE_CARD_TABLE_6,
    THREE_CARD_TABLE_7,
    THREE_CARD_TABLE_8,
)
from tests.independent.transcription import BONUS, PERCENT, TERMS_PERIOD


@cache
def _dollars(cents: int) -> Decimal:
    return Decimal(cents) / 100


class House(NamedTuple):
    """What the rules leave to an installation."""

    unit_cents: int = 1
    printed: bool = False
    """Shares by the percentages as printed, not by the formula."""
    terms_period: int = TERMS_PERIOD

    def payable(self, amount: Fraction) -> Decimal:
        """The next higher amount that can be paid."""
        units, rest = divmod(amount * 100, self.unit_cents)
        return _dollars((int(units) + (1 if rest else 0)) * self.unit_cents)


@cache
def _part(cents: int, percent: str) -> Decimal:
    return _dollars(cents) * Decimal(percent) / 100


class Terms(NamedTuple):
    option: int
    seed: int
    cost_cents: int
    house: House = House()

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
        return self.house.payable(Fraction(BONUS[self.option].get(hand or "", 0) * self.cost))


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
    shares = _printed if terms.house.printed else _by_formula
    royal, straight_flush = (
        terms.house.payable(share)
        for share in shares(j, Fraction(terms.reseed), royals, straight_flushes)
    )
    paid = royals * royal + straight_flushes * straight_flush
    left = meter - paid
    reset = royals > 1 or left < reseed
    return Result(meter, royal, straight_flush, paid, reset, reseed if reset else left)


def _by_formula(
    j: Fraction, r: Fraction, royals: int, straight_flushes: int
) -> tuple[Fraction, Fraction]:
    """What each royal and each straight flush wins."""
    nothing = Fraction(0)
    if royals:
        part = (j + r * (royals - 1)) / (10 * royals + straight_flushes)
        return 10 * part, part if straight_flushes else nothing
    if straight_flushes:
        tenths = sum(Fraction(9 ** (k - 1), 10**k) for k in range(1, straight_flushes + 1))
        return nothing, (j - r) * tenths / straight_flushes + r / 10
    return nothing, nothing


def _printed(
    j: Fraction, r: Fraction, royals: int, straight_flushes: int
) -> tuple[Fraction, Fraction]:
    """The same by the tables of Three Card, which hold all that WSOP prints."""
    split = royals, straight_flushes
    pool = j + r * (royals - 1)
    if royals:
        other = THREE_CARD_TABLE_7[split] if straight_flushes else "0%"
        return _percent(THREE_CARD_TABLE_6[split]) * pool, _percent(other) * pool
    if straight_flushes:
        of_j, of_r = THREE_CARD_TABLE_8[split].split(" + ")
        return Fraction(0), _percent(of_j[:-1]) * j + _percent(of_r[:-1]) * r
    return Fraction(0), Fraction(0)


def _percent(cell: str) -> Fraction:
    return Fraction(cell.removesuffix("%")) / 100
