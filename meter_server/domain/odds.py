"""How often each hand comes, and what the printed seeds and rates return in the long run."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from meter_server.domain.cards import FULL_DECK, SUITS, ranks_of
from meter_server.domain.hands import HAND_SIZE, Hand
from meter_server.domain.rulebook.terms import Option, SeedRow

STRAIGHT_FLUSH_SHARE = Fraction(1, 10)
"""What one straight flush takes of the meter (SET-5)."""


def ways(deck: int = FULL_DECK) -> dict[Hand, int]:
    """In how many ways a deck makes each hand, by counting (HND-1, HND-2, HND-3, HND-5)."""
    ranks = len(ranks_of(deck))
    runs = ranks - HAND_SIZE + 2  # one more than without a low Ace
    suited = SUITS * comb(ranks, HAND_SIZE)
    unpaired = SUITS**HAND_SIZE * comb(ranks, HAND_SIZE)
    return {
        Hand.ROYAL_FLUSH: SUITS,
        Hand.STRAIGHT_FLUSH: SUITS * (runs - 1),
        Hand.FOUR_OF_A_KIND: ranks * SUITS * (ranks - 1),
        Hand.FULL_HOUSE: ranks * comb(SUITS, 3) * (ranks - 1) * comb(SUITS, 2),
        Hand.FLUSH: suited - SUITS * runs,
        Hand.STRAIGHT: (SUITS**HAND_SIZE - SUITS) * runs,
        Hand.THREE_OF_A_KIND: ranks * comb(SUITS, 3) * comb(ranks - 1, 2) * SUITS**2,
        Hand.TWO_PAIR: comb(ranks, 2) * comb(SUITS, 2) ** 2 * (ranks - 2) * SUITS,
        Hand.ONE_PAIR: ranks * comb(SUITS, 2) * comb(ranks - 1, 3) * SUITS**3,
        Hand.NO_PAIR: unpaired - suited - (SUITS**HAND_SIZE - SUITS) * runs,
    }


def hands_dealt(deck: int = FULL_DECK) -> int:
    """How many five-card hands a deck has."""
    return comb(deck, HAND_SIZE)


def one_in(*hands: Hand) -> Fraction:
    """Expected Jackpot wagers, kept to the end, from one of these hands to the next."""
    return Fraction(hands_dealt(), sum(ways()[hand] for hand in hands))


@dataclass(frozen=True, slots=True)
class Return:
    """What one dollar of Jackpot wagers returns in the long run, by source."""

    increment: Fraction
    bonus: Fraction
    royal_reseed: Fraction
    straight_flush_top_up: Fraction
    mean_royal_dollars: Fraction
    """The mean prize of a royal for each $1 of the wager's cost."""

    @property
    def total(self) -> Fraction:
        return self.increment + self.bonus + self.royal_reseed + self.straight_flush_top_up


def bonus_return(option: Option) -> Fraction:
    """The bonus payouts' share: "for" each $1, the stake is not returned on top (BON-1, A-41)."""
    return sum((dollars / one_in(hand) for hand, dollars in option.bonus_dollars), Fraction())


def theoretical_return(option: Option, row: SeedRow) -> Return:
    """The designed return of one printed row (MET-3, MET-4, A-4, A-12, A-41).

    Every hand counts as kept to the end. What enters the meter leaves it as prizes, so the money
    put in from outside, the re-seeds after royals and the top-ups after straight flushes, follows
    from the mean value of the meter when a prize falls.
    """
    royal, straight_flush = 1 / one_in(Hand.ROYAL_FLUSH), 1 / one_in(Hand.STRAIGHT_FLUSH)
    increment = Fraction(row.rate_bp, 10_000)
    mean = mean_meter_at_prize(row.seed_dollars, increment, royal, straight_flush)
    paid = mean * (royal + straight_flush * STRAIGHT_FLUSH_SHARE)
    royal_reseed = row.seed_dollars * royal
    return Return(
        increment=increment,
        bonus=bonus_return(option),
        royal_reseed=royal_reseed,
        straight_flush_top_up=paid - increment - royal_reseed,
        mean_royal_dollars=mean,
    )


def mean_meter_at_prize(
    seed: int, increment: Fraction, royal: Fraction, straight_flush: Fraction
) -> Fraction:
    """The mean of a $1 meter just before a royal or a straight flush, in the steady state.

    Method. A prize falls with chance e = royal + straight_flush at each wager, so between prizes
    the meter grows by a random amount of mean 1/u = increment / e. Take that amount as exponential.
    The density h of the meter just before a prize then satisfies, above the seed s,

        h'(z) = -u h(z) + u b h(z/k)    k = 9/10 is what a straight flush leaves,
                                        b = straight_flush / (e k)

    because a value z just after a prize was z/k before it (royals and values below the seed start
    at s and enter as the boundary). The decaying solution is the series

        h(z) ~ sum of c(n) exp(-u z / k^n)    c(0) = 1,  c(n) = c(n-1) b / (1 - 1/k^n)

    and the mean over z > s is  s + (sum of t(n) k^2n) / (u * sum of t(n) k^n)  with
    t(n) = c(n) exp(-u s / k^n). The terms vanish faster than geometrically; they are summed in
    integers of 10^-60 until they round to nothing, so the sums are good to far more than 40 digits.

    Error. Real growth is whole wagers, a geometric number of increments. It has the same mean and
    is smaller than the exponential in the convex order, and the meter after a prize is a convex
    increasing function of the meter before it: so this mean is never too small. From below, the
    geometric amount is an exponential of mean increment / -log(1 - e) rounded up to the next
    increment. Both together overstate `straight_flush_top_up` by less than increment * e, which is
    below 0.0006 % of the wager. Rounding j up to a dollar is not counted: it adds less than
    $1 to a royal and 10 cents to a straight flush, together below 0.0003 % of a $1 wager.
    """
    prize = royal + straight_flush
    kept = 1 - STRAIGHT_FLUSH_SHARE
    numerator = denominator = Fraction()
    for n, term in enumerate(_series(seed * prize / increment, straight_flush / (prize * kept))):
        numerator += term * kept ** (2 * n)
        denominator += term * kept**n
    return seed + increment / prize * numerator / denominator


_UNIT = 10**60


def _series(seed_in_mean_growths: Fraction, b: Fraction) -> Iterator[Fraction]:
    """The terms t(n) of `mean_meter_at_prize`, until the exponential rounds to nothing."""
    kept = 1 - STRAIGHT_FLUSH_SHARE
    exponent, coefficient, n = seed_in_mean_growths, Fraction(1), 0
    while exponential := exp_minus(exponent):
        yield coefficient * exponential
        n += 1
        exponent /= kept
        coefficient *= b / (1 - 1 / kept**n)


def exp_minus(exponent: Fraction) -> Fraction:
    """e to the power of minus a number that is not negative, to sixty decimals.

    The Taylor series of a piece below 1, then squared up again; 80 decimals inside leave room for
    the rounding of every step.
    """
    unit = _UNIT * 10**20
    pieces_log2 = int(exponent).bit_length()
    piece = int(exponent * unit) >> pieces_log2
    power = total = unit
    for degree in range(1, 70):
        power = -power * piece // (unit * degree)
        total += power
    for _ in range(pieces_log2):
        total = total * total // unit
    return Fraction(total * _UNIT // unit, _UNIT)
