"""Terms: one row of one option at one cost, and what a wager adds and wins under them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.terms import OPTIONS, Terms
from tests.independent import printed_tables as printed
from tests.rules import rule

TERMS = st.builds(
    Terms,
    option_number=st.sampled_from([1, 2]),
    seed_dollars=st.sampled_from([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000]),
    cost_cents=st.integers(min_value=1, max_value=1_000_000),
)


@rule("MET-2", "MET-3")
@pytest.mark.parametrize(
    ("terms", "added_micros", "r_micros"),
    [
        (Terms(1, 10_000, 100), 340_600, 10_000 * 10**6),  # $0.3406
        (Terms(2, 75_000, 500), 1_014_000, 375_000 * 10**6),  # $1.0140
        (Terms(1, 10_000, 1), 3_406, 100 * 10**6),  # one cent: still whole millionths
        (Terms(1, 20_000, 500), 1_625_500, 100_000 * 10**6),
        (Terms(2, 50_000, 250), 617_500, 125_000 * 10**6),
    ],
)
def test_a_wager_adds_rate_times_cost(terms: Terms, added_micros: int, r_micros: int) -> None:
    assert terms.contribution_micros == added_micros
    assert terms.reseed_micros == r_micros


@rule("MET-2", "SET-9", "A-4", "A-7")
@given(TERMS)
def test_contribution_and_reseed_are_exact_at_every_cost(terms: Terms) -> None:
    table = printed.WSOP_TABLE_2 if terms.option_number == 1 else printed.WSOP_TABLE_3
    rate_text = dict(table)[f"{terms.seed_dollars:,}"]
    rate = Fraction(rate_text.removesuffix("%")) / 100
    cost_dollars = Fraction(terms.cost_cents, 100)
    assert Fraction(terms.contribution_micros, 10**6) == rate * cost_dollars
    assert Fraction(terms.cost_micros, 10**6) == cost_dollars
    assert Fraction(terms.reseed_micros, 10**6) == terms.seed_dollars * cost_dollars
    assert terms.reseed_micros % 10**6 == 0  # r is whole dollars, so only j is ever rounded


@rule("BON-1", "A-41")
@pytest.mark.parametrize(
    ("terms", "hand", "dollars"),
    [
        (Terms(1, 10_000, 100), Hand.FOUR_OF_A_KIND, 500),
        (Terms(1, 10_000, 500), Hand.FOUR_OF_A_KIND, 2_500),
        (Terms(1, 10_000, 250), Hand.FULL_HOUSE, 375),
        (Terms(1, 10_000, 500), Hand.FLUSH, 500),
        (Terms(1, 10_000, 500), Hand.STRAIGHT, 0),
        (Terms(2, 10_000, 500), Hand.FOUR_OF_A_KIND, 3_000),
        (Terms(2, 10_000, 500), Hand.FULL_HOUSE, 500),
        (Terms(2, 10_000, 500), Hand.FLUSH, 300),
        (Terms(2, 10_000, 500), Hand.STRAIGHT, 200),
        (Terms(2, 10_000, 500), Hand.THREE_OF_A_KIND, 0),
        (Terms(2, 10_000, 500), Hand.ROYAL_FLUSH, 0),
    ],
)
def test_a_bonus_is_its_amount_times_the_cost_and_no_stake(
    terms: Terms, hand: Hand, dollars: int
) -> None:
    assert terms.bonus_micros(hand) == dollars * 10**6


@rule("BON-1")
@given(TERMS, st.sampled_from(list(Hand)))
def test_bonus_payouts_are_exact_at_every_cost(terms: Terms, hand: Hand) -> None:
    for_each_dollar = dict(terms.option.bonus_dollars).get(hand, 0)
    exact = for_each_dollar * Fraction(terms.cost_cents, 100)
    assert Fraction(terms.bonus_micros(hand), 10**6) == exact


@rule("SYS-10")
def test_an_option_brings_its_own_seeds_and_its_own_payouts() -> None:
    """The pair is one value: terms name the option once and take both tables from it."""
    for number, option in OPTIONS.items():
        terms = Terms(number, 10_000, 100)
        assert terms.option is option
        assert terms.rate_bp == option.rows[0].rate_bp
    assert Terms(1, 10_000, 100).bonus_micros(Hand.STRAIGHT) == 0
    assert Terms(2, 10_000, 100).bonus_micros(Hand.STRAIGHT) == 40 * 10**6


NO_OPTION = "The rules provide Option 1 and Option 2 only (WSOP 9.1.1(f); Three Card 6.1.1(f))."
NO_COST = (
    "The cost of the Jackpot wager is a positive number of whole cents "
    "(WSOP 9.2.3; Three Card 6.2.3)."
)
SEEDS = "choose one of 10,000, 20,000, 30,000, 40,000, 50,000, 60,000, 75,000."
SEEDS_OF_OPTION_1 = f"WSOP Table 2; Three Card Table 1: {SEEDS}"
SEEDS_OF_OPTION_2 = f"WSOP Table 3; Three Card Table 2: {SEEDS}"


@pytest.mark.parametrize(
    ("option", "seed", "cost_cents", "sentence"),
    [
        (0, 10_000, 100, NO_OPTION),
        (3, 10_000, 100, NO_OPTION),
        (1, 25_000, 100, f"25,000 is not an initial seed of {SEEDS_OF_OPTION_1}"),
        (1, -10_000, 100, f"-10,000 is not an initial seed of {SEEDS_OF_OPTION_1}"),
        (2, 0, 100, f"0 is not an initial seed of {SEEDS_OF_OPTION_2}"),
        (1, 10_000, 0, NO_COST),
        (1, 10_000, -100, NO_COST),
    ],
)
def test_terms_that_no_table_prints_cannot_be_made(
    option: int, seed: int, cost_cents: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match="Three Card") as told:
        Terms(option, seed, cost_cents)
    assert str(told.value) == sentence
