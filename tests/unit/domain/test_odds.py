"""The odds and the designed return, against published figures and two other ways to find them."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, comb, floor, log, sqrt
from random import Random

import pytest

from meter_server.domain.hands import Hand
from meter_server.domain.odds import (
    Return,
    bonus_return,
    exp_minus,
    hands_dealt,
    mean_meter_at_prize,
    one_in,
    theoretical_return,
    ways,
)
from meter_server.domain.rulebook.terms import OPTIONS
from tests.rules import rule

# Hands

COUNTS = {
    52: (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540),
    # Found once by naming every hand of these decks with a slow classifier.
    40: (4, 24, 360, 2_160, 980, 7_140, 23_040, 51_840, 322_560, 249_900),
    36: (4, 20, 288, 1_728, 480, 6_120, 16_128, 36_288, 193_536, 122_400),
    32: (4, 16, 224, 1_344, 204, 5_100, 10_752, 24_192, 107_520, 52_020),
}


@rule("HND-1", "HND-2", "HND-3", "HND-5")
@pytest.mark.parametrize("deck", COUNTS)
def test_counting_gives_the_known_ways(deck: int) -> None:
    assert ways(deck) == dict(zip(Hand, COUNTS[deck], strict=True))
    assert sum(ways(deck).values()) == hands_dealt(deck) == comb(deck, 5)


@rule("HND-1")
@pytest.mark.parametrize(
    ("hand", "printed"),
    [
        (Hand.ROYAL_FLUSH, "649740.00"),
        (Hand.STRAIGHT_FLUSH, "72193.33"),
        (Hand.FOUR_OF_A_KIND, "4165.00"),
        (Hand.FULL_HOUSE, "694.17"),
        (Hand.FLUSH, "508.80"),
        (Hand.STRAIGHT, "254.80"),
        (Hand.THREE_OF_A_KIND, "47.33"),
        (Hand.TWO_PAIR, "21.04"),
        (Hand.ONE_PAIR, "2.37"),
        (Hand.NO_PAIR, "2.00"),
    ],
)
def test_wagers_from_one_hand_to_the_next(hand: Hand, printed: str) -> None:
    assert abs(one_in(hand) - Fraction(printed)) <= Fraction(1, 200)


def test_wagers_from_one_prize_of_the_meter_to_the_next() -> None:
    assert one_in(Hand.ROYAL_FLUSH, Hand.STRAIGHT_FLUSH) == 64_974


# The designed return

# option, seed, rate, bonus, royal reseed, straight flush top-up, total (all %), mean royal ($)
DESIGN = [
    (1, 10_000, "34.06", "53.267", "1.539", "0.004", "88.870", 121_750),
    (1, 20_000, "32.51", "53.267", "3.078", "0.016", "88.872", 121_755),
    (1, 30_000, "30.94", "53.267", "4.617", "0.040", "88.865", 121_733),
    (1, 40_000, "29.36", "53.267", "6.156", "0.082", "88.865", 121_734),
    (1, 50_000, "27.76", "53.267", "7.695", "0.148", "88.870", 121_751),
    (1, 60_000, "26.12", "53.267", "9.234", "0.253", "88.874", 121_765),
    (1, 75_000, "23.50", "53.267", "11.543", "0.555", "88.866", 121_736),
    (2, 10_000, "31.02", "56.303", "1.539", "0.004", "88.866", 111_356),
    (2, 20_000, "29.47", "56.303", "3.078", "0.018", "88.869", 111_366),
    (2, 30_000, "27.90", "56.303", "4.617", "0.046", "88.866", 111_355),
    (2, 40_000, "26.32", "56.303", "6.156", "0.094", "88.873", 111_380),
    (2, 50_000, "24.70", "56.303", "7.695", "0.174", "88.872", 111_377),
    (2, 60_000, "23.02", "56.303", "9.234", "0.309", "88.866", 111_358),
    (2, 75_000, "20.28", "56.303", "11.543", "0.749", "88.875", 111_387),
]
ROWS = [(option, seed, rate) for option, seed, rate, *_ in DESIGN]


def found(option_number: int, seed: int) -> Return:
    option = OPTIONS[option_number]
    row = option.row(seed)
    assert row is not None
    return theoretical_return(option, row)


def percent(share: Fraction) -> str:
    """Rounded half up to three decimals."""
    thousandths = floor(share * 100_000 + Fraction(1, 2))
    return f"{thousandths // 1000}.{thousandths % 1000:03}"


@rule("MET-3", "MET-4", "A-4", "A-12", "A-41", "BON-1", "SET-5")
@pytest.mark.parametrize(
    ("option", "seed", "rate", "bonus", "reseed", "top_up", "total", "royal"), DESIGN
)
def test_every_row_returns_as_designed(
    option: int,
    seed: int,
    rate: str,
    bonus: str,
    reseed: str,
    top_up: str,
    total: str,
    royal: int,
) -> None:
    row = found(option, seed)
    assert row.increment == Fraction(rate) / 100
    assert percent(row.bonus) == bonus
    assert percent(row.royal_reseed) == reseed
    assert percent(row.straight_flush_top_up) == top_up
    assert percent(row.total) == total
    assert floor(row.mean_royal_dollars + Fraction(1, 2)) == royal
    assert Fraction("0.88865") <= row.total <= Fraction("0.88875")


def test_the_table_above_holds_every_printed_row() -> None:
    printed = [
        (option.number, row.seed_dollars) for option in OPTIONS.values() for row in option.rows
    ]
    assert [(option, seed) for option, seed, *_ in DESIGN] == printed


@rule("BON-1", "A-41")
def test_bonus_payouts_are_exact() -> None:
    assert bonus_return(OPTIONS[1]) == Fraction(624 * 500 + 3_744 * 150 + 5_108 * 100, 2_598_960)
    assert bonus_return(OPTIONS[2]) == Fraction(
        624 * 600 + 3_744 * 100 + 5_108 * 60 + 10_200 * 40, 2_598_960
    )


# The same by another method: the meter on a grid, from prize to prize, until nothing changes

PRIZE, ROYAL, STRAIGHT_FLUSH = 40 / 2_598_960, 4 / 2_598_960, 36 / 2_598_960
WAGERS_IN_A_CELL = 500


def grid_top_up(seed: int, rate: float) -> float:
    """What straight flushes cost beyond the meter for each $1 wagered."""
    cell = rate * WAGERS_IN_A_CELL
    ends_in_cell = 1 - (1 - PRIZE) ** WAGERS_IN_A_CELL
    after = [1.0] + [0.0] * int(30 * rate / PRIZE / cell)
    top_up, last = 0.0, -1.0
    while abs(top_up - last) > 1e-6:
        last = top_up
        top_up, after = grid_step(after, seed, cell, ends_in_cell)
    return STRAIGHT_FLUSH * top_up


def grid_step(
    after: list[float], seed: int, cell: float, ends_in_cell: float
) -> tuple[float, list[float]]:
    """From the meter after one prize to the mean top-up of a straight flush and the meter after."""
    following = [0.0] * len(after)
    following[0] = ROYAL / PRIZE
    top_up = growing = 0.0
    for place, share in enumerate(after):
        growing += share
        falls = growing * ends_in_cell
        growing -= falls
        left = 0.9 * (seed + (place + 0.5) * cell)
        if left < seed:
            top_up += falls * (seed - left)
            following[0] += falls * STRAIGHT_FLUSH / PRIZE
        else:
            below, beyond = divmod((left - seed) / cell, 1)
            following[int(below)] += falls * STRAIGHT_FLUSH / PRIZE * (1 - beyond)
            following[int(below) + 1] += falls * STRAIGHT_FLUSH / PRIZE * beyond
    return top_up, following


@rule("MET-4", "A-12")
@pytest.mark.parametrize(("option", "seed", "rate"), ROWS)
def test_a_grid_finds_the_same_top_up(option: int, seed: int, rate: str) -> None:
    expected = float(found(option, seed).straight_flush_top_up)
    assert grid_top_up(seed, float(rate) / 100) == pytest.approx(expected, abs=3e-7)


# The same by simulation of the rules as they are played: whole wagers, j rounded up, paid in cents


@rule("MET-4", "A-12", "SET-5")
@pytest.mark.parametrize(("option", "seed", "rate_bp"), [(1, 30_000, 3_094), (2, 75_000, 2_028)])
def test_played_rounds_agree(option: int, seed: int, rate_bp: int) -> None:
    random = Random(20_260_101 + seed)  # noqa: S311 (repeatable, not secret)
    cycles = [played_until_royal(random, seed, rate_bp) for _ in range(20_000)]
    top_ups, royals = zip(*cycles, strict=True)
    row = found(option, seed)
    expected_top_up = float(row.straight_flush_top_up) / ROYAL
    assert_mean(top_ups, expected_top_up)
    assert_mean(royals, float(row.mean_royal_dollars))


def played_until_royal(random: Random, seed: int, rate_bp: int) -> tuple[float, int]:
    """The top-ups from one royal to the next on a $1 meter, and the royal's prize, in dollars."""
    seed_micros = meter = seed * 1_000_000
    topped_up = 0
    for wagers in wagers_between_prizes(random):
        meter += wagers * rate_bp * 100
        j = -(-meter // 1_000_000)
        if random.randrange(40) < 4:
            return topped_up / 1e6, j
        meter -= j * 100_000
        if meter < seed_micros:
            topped_up += seed_micros - meter
            meter = seed_micros
    raise AssertionError


def wagers_between_prizes(random: Random) -> Iterator[int]:
    while True:
        yield ceil(log(1 - random.random()) / log(1 - PRIZE)) or 1


def assert_mean(values: tuple[float, ...], expected: float) -> None:
    """Within four standard errors: the seed is fixed, so this never fails by chance."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    assert abs(mean - expected) < 4 * sqrt(variance / len(values))


# The parts of the method


def test_without_straight_flushes_the_meter_only_grows() -> None:
    royal = Fraction(1, 649_740)
    mean = mean_meter_at_prize(10_000, Fraction(1, 3), royal, Fraction())
    assert mean == 10_000 + Fraction(649_740, 3)


@pytest.mark.parametrize(
    "exponent", ["0", "0.001", "0.5", "0.999999", "1", "1.000001", "2", "7.25", "64", "137"]
)
def test_the_exponential_is_good_to_sixty_decimals(exponent: str) -> None:
    with localcontext() as context:
        context.prec = 140
        exact = Fraction((-Decimal(exponent)).exp())
    assert 0 <= exact - exp_minus(Fraction(exponent)) <= Fraction(1, 10**60)


def test_the_exponential_ends_at_nothing() -> None:
    assert exp_minus(Fraction(139)) == 0
