"""What simultaneous royal and straight flushes win, and what the meter is afterwards.

Shares are exact fractions of j and r until the one rounding up to a payable amount. The worked
statement holds every step, so that a manager with the paper tables can follow it by hand.
"""

from dataclasses import dataclass
from fractions import Fraction

from meter_server.domain.hands import Hand
from meter_server.domain.money import round_up, whole_dollars_up
from meter_server.domain.reachability import reachable
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.games import Game
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, Readings, SplitBasis
from meter_server.domain.rulebook.terms import Terms

_TEN_PERCENT = Fraction(1, 10)
_PRINTED_STEP = Fraction(1, 100_000)
"""The split tables print percentages with three decimals."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """A prize as parts of j and of r; a share of a prize pool is both at once."""

    of_j: Fraction
    of_r: Fraction

    def amount_micros(self, j_micros: int, r_micros: int) -> Fraction:
        return self.of_j * j_micros + self.of_r * r_micros

    def printed(self) -> "Proportion":
        """As the tables print it, rounded half up to three decimals of a percent (A-2)."""
        return Proportion(_half_up(self.of_j), _half_up(self.of_r))


@dataclass(frozen=True, slots=True)
class Share:
    """What each hand of one kind wins."""

    hand: Hand
    count: int
    rule: str
    of_pool: Fraction | None
    """The fraction of the prize pool; None where straight flushes alone share by j and r."""
    formula: Proportion
    printed_text: str
    exact_micros: Fraction
    """The amount by the basis in force (formula or printed) before rounding."""
    printed_micros: Fraction
    """The amount that the printed percentage would give, for whoever holds the paper table."""
    paid_micros: int


@dataclass(frozen=True, slots=True)
class Statement:
    """The worked statement of one settlement (AUD-1)."""

    rulebook: str
    readings: str
    game: str
    terms: Terms
    meter_micros: int
    j_micros: int
    r_micros: int
    royals: int
    straight_flushes: int
    pool_micros: int
    shares: tuple[Share, ...]
    paid_micros: int
    meter_after_payment_micros: int
    reset: bool
    reset_rule: str | None
    reset_to_micros: int
    meter_after_micros: int
    reachable: bool

    def paid_each(self, hand: Hand) -> int:
        return next((share.paid_micros for share in self.shares if share.hand is hand), 0)

    @property
    def top_up_micros(self) -> int:
        """What the reset added: the reseed and the part of j that was rounded up."""
        return self.meter_after_micros - self.meter_after_payment_micros


def settle(
    game: Game,
    terms: Terms,
    meter_micros: int,
    royals: int,
    straight_flushes: int,
    *,
    readings: Readings = DEFAULT_READINGS,
    reset_to_micros: int | None = None,
) -> Statement:
    """Settle one round of one table.

    ``terms`` are those the round was registered under (A-56); ``reset_to_micros`` is the seed x
    cost in force now, where it differs. Refused where the game's document provides no such split.
    """
    refuse_unless_provided(game, royals, straight_flushes)
    reset_to = terms.reseed_micros if reset_to_micros is None else reset_to_micros
    j_micros = whole_dollars_up(meter_micros)
    r_micros = terms.reseed_micros
    shares = _shares(game, royals, straight_flushes, j_micros, r_micros, readings)
    paid = sum(share.count * share.paid_micros for share in shares)
    after_payment = meter_micros - paid
    reset_rule = _reset_rule(game, royals, after_payment, reset_to)
    return Statement(
        rulebook=VERSION,
        readings=readings.label(),
        game=game.key,
        terms=terms,
        meter_micros=meter_micros,
        j_micros=j_micros,
        r_micros=r_micros,
        royals=royals,
        straight_flushes=straight_flushes,
        pool_micros=prize_pool_micros(j_micros, r_micros, royals),
        shares=shares,
        paid_micros=paid,
        meter_after_payment_micros=after_payment,
        reset=reset_rule is not None,
        reset_rule=reset_rule,
        reset_to_micros=reset_to,
        meter_after_micros=after_payment if reset_rule is None else reset_to,
        reachable=reachable(game.own_cards, game.shared_cards, royals, straight_flushes),
    )


def prize_pool_micros(j_micros: int, r_micros: int, royals: int) -> int:
    """j + r(R - 1) where there is a royal; without one shares are counted from j (SET-6, A-7)."""
    return j_micros + r_micros * max(royals - 1, 0)


def royal_fraction(royals: int, straight_flushes: int) -> Fraction:
    """Each royal's part of the prize pool, columns R and rows S of the table (SET-6, A-1).

    Several royals alone share it equally (SET-7).
    """
    return Fraction(10, 10 * royals + straight_flushes)


def straight_flush_fraction(royals: int, straight_flushes: int) -> Fraction:
    """Each straight flush's part of the prize pool beside a royal (SET-6)."""
    return Fraction(1, 10 * royals + straight_flushes)


def straight_flushes_alone(straight_flushes: int) -> Proportion:
    """Each straight flush's part of j and r without a royal (SET-8, A-3, A-11).

    The sum of 9^(k-1)/10^k over k = 1..S is 1 - 0.9^S; for one straight flush this is 10% of j.
    """
    of_j = (1 - Fraction(9, 10) ** straight_flushes) / straight_flushes
    return Proportion(of_j, _TEN_PERCENT - of_j)


def _shares(
    game: Game,
    royals: int,
    straight_flushes: int,
    j_micros: int,
    r_micros: int,
    readings: Readings,
) -> tuple[Share, ...]:
    rules = game.rules
    alone = royals + straight_flushes == 1
    found: list[tuple[Hand, int, str, Fraction | None, Proportion]] = []
    if royals:
        rule = rules.single_payout if alone else rules.royal_split
        of_pool = royal_fraction(royals, straight_flushes)
        found.append((Hand.ROYAL_FLUSH, royals, rule, of_pool, _of_pool(of_pool, royals)))
        if straight_flushes:
            of_pool = straight_flush_fraction(royals, straight_flushes)
            parts = _of_pool(of_pool, royals)
            found.append((Hand.STRAIGHT_FLUSH, straight_flushes, rule, of_pool, parts))
    elif straight_flushes:
        rule = rules.single_payout if alone else rules.straight_flush_split
        parts = straight_flushes_alone(straight_flushes)
        found.append((Hand.STRAIGHT_FLUSH, straight_flushes, rule, None, parts))
    return tuple(
        _share(hand, count, rule, of_pool, parts, (j_micros, r_micros, royals), readings)
        for hand, count, rule, of_pool, parts in found
    )


def _share(
    hand: Hand,
    count: int,
    rule: str,
    of_pool: Fraction | None,
    formula: Proportion,
    inputs: tuple[int, int, int],
    readings: Readings,
) -> Share:
    j_micros, r_micros, royals = inputs
    printed = formula.printed() if of_pool is None else _of_pool(_half_up(of_pool), royals)
    printed_micros = printed.amount_micros(j_micros, r_micros)
    by_formula = formula.amount_micros(j_micros, r_micros)
    exact = by_formula if readings.split_basis is SplitBasis.FORMULA else printed_micros
    return Share(
        hand=hand,
        count=count,
        rule=rule,
        of_pool=of_pool,
        formula=formula,
        printed_text=_printed_text(of_pool, formula),
        exact_micros=exact,
        printed_micros=printed_micros,
        # Paid up to what chips can pay, never down (SET-13, A-8).
        paid_micros=round_up(exact, readings.payable_unit_micros),
    )


def _of_pool(fraction: Fraction, royals: int) -> Proportion:
    return Proportion(fraction, fraction * (royals - 1))


def _half_up(part: Fraction) -> Fraction:
    steps = part / _PRINTED_STEP + Fraction(1, 2)
    return (steps.numerator // steps.denominator) * _PRINTED_STEP


def percent_text(part: Fraction) -> str:
    """A part as the tables print it: ``90.909%``."""
    thousandths = int(_half_up(part) / _PRINTED_STEP)
    return f"{thousandths // 1000}.{thousandths % 1000:03d}%"


def _printed_text(of_pool: Fraction | None, formula: Proportion) -> str:
    if of_pool is not None:
        return percent_text(of_pool)
    return f"{percent_text(formula.of_j)}j + {percent_text(formula.of_r)}r"


def _reset_rule(
    game: Game, royals: int, after_payment_micros: int, reset_to_micros: int
) -> str | None:
    """Why the meter is reset, if it is: exactly at seed x cost is not below (MET-4, A-12, A-13)."""
    if royals > 1:
        return game.rules.reset_several_royals  # MET-5, A-14
    if after_payment_micros < reset_to_micros:
        return game.rules.reset
    return None


def refuse_unless_provided(game: Game, royals: int, straight_flushes: int) -> None:
    """Only the splits that the game's document prints can be settled (A-28, A-29)."""
    if royals < 0 or straight_flushes < 0:
        raise Refused(
            Kind.SPLIT_NOT_PROVIDED,
            "Royal and straight flushes are counted from nought.",
            rule=game.rules.single_payout,
            remedy="Correct the number of hands.",
        )
    what = f"{royals} royal and {straight_flushes} straight flushes in one round"
    if royals + straight_flushes > game.seats_max:
        raise Refused(
            Kind.SPLIT_NOT_PROVIDED,
            f"{what.capitalize()} are more than the {game.seats_max} hands of a table.",
            rule=game.rules.places,
            remedy="Correct the number of hands.",
        )
    if (royals, straight_flushes) not in game.splits:
        raise Refused(
            Kind.SPLIT_NOT_PROVIDED,
            f"The {game.title} rules provide no split for {what}.",
            rule=game.rules.royal_split if royals else game.rules.straight_flush_split,
            remedy="Correct the entry; if it is right, check the deck and call the TG Area "
            f"Manager, whose ruling is final ({game.rules.dispute}).",
        )
