"""Replays by other sums than the product's: two prizes in either order."""

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.hands import Hand
from meter_server.domain.replay import Counting, in_order
from meter_server.domain.rulebook.games import WSOP
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement, settle
from tests.rules import rule

TERMS = Terms(1, 20_000, 500)
SEED = 100_000_000_000
DOLLAR = 1_000_000
CENT = 10_000


def straight_flush(meter: int) -> Statement:
    return settle(WSOP, TERMS, meter, 0, 1)


def royal(meter: int) -> Statement:
    return settle(WSOP, TERMS, meter, 1, 0)


def _counting(statement: Statement) -> Counting:
    hand = Hand.ROYAL_FLUSH if statement.royals else Hand.STRAIGHT_FLUSH
    return Counting(statement, statement.meter_after_micros, {1: hand}, {})


def by_hand(meter: int, *, is_royal: bool) -> tuple[int, int]:
    """A prize and the meter after it: j or a tenth of it, to the cent, with the seed guarded."""
    j = ceil(Fraction(meter, DOLLAR)) * DOLLAR
    prize = j if is_royal else ceil(Fraction(j, 10 * CENT)) * CENT
    return prize, max(meter - prize, SEED)


@rule("A-38")
@given(
    meter=st.integers(SEED, 10 * SEED),
    between=st.integers(0, 10 * DOLLAR),
    first_is_royal=st.booleans(),
    second_is_royal=st.booleans(),
)
def test_the_other_order_is_what_the_other_order_would_have_been(
    meter: int, between: int, first_is_royal: bool, second_is_royal: bool
) -> None:
    first_prize, after_first = by_hand(meter, is_royal=first_is_royal)
    _, recorded_end = by_hand(after_first + between, is_royal=second_is_royal)
    first = (royal if first_is_royal else straight_flush)(meter)
    second = (royal if second_is_royal else straight_flush)(after_first + between)
    assert first.paid_micros == first_prize

    counted = {"first": _counting(first), "second": _counting(second)}
    other = in_order(counted, ["second", "first"])

    second_prize, middle = by_hand(meter, is_royal=second_is_royal)
    first_prize, end = by_hand(middle, is_royal=first_is_royal)
    assert other.statements["second"].paid_micros == second_prize
    assert other.statements["first"].paid_micros == first_prize
    assert recorded_end + other.moved_micros == end + between
