"""Money as integers: parsing and writing are exact, and rounding goes one way only."""

from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.money import (
    cut_to_cents,
    dollars,
    parse_dollars,
    plain_dollars,
    round_up,
    whole_dollars_up,
)
from tests.rules import rule

AMOUNTS = st.integers(min_value=0, max_value=999_999_999_999_999_999)


# Rounding


@rule("SET-1", "A-6")
@pytest.mark.parametrize(
    ("meter", "j"),
    [
        ("10000.000000", 10_000),  # on a whole dollar: it stays
        ("10000.000001", 10_001),
        ("10000.500000", 10_001),
        ("10000.999999", 10_001),
        ("0", 0),
    ],
)
def test_the_rounded_meter_value_is_the_ceiling(meter: str, j: int) -> None:
    assert whole_dollars_up(parse_dollars(meter)) == j * 1_000_000


@rule("SET-13", "A-8")
@pytest.mark.parametrize(
    ("amount", "unit", "paid"),
    [
        (Fraction(6_132_570_000_000, 11), 10_000, 557_506_370_000),  # 10/11 of 613,257
        (Fraction(6_132_570_000_000, 11), 50_000, 557_506_400_000),
        (Fraction(6_132_570_000_000, 11), 1_000_000, 557_507_000_000),
        (Fraction(2_000_095_000), 10_000, 2_000_100_000),
        (Fraction(2_000_100_000), 10_000, 2_000_100_000),
        (Fraction(1, 10**12), 10_000, 10_000),
        (Fraction(0), 10_000, 0),
    ],
)
def test_prizes_are_paid_up_to_one_cent_five_cents_or_a_dollar(
    amount: Fraction, unit: int, paid: int
) -> None:
    assert round_up(amount, unit) == paid


@rule("SET-13", "A-8")
@given(
    st.fractions(min_value=0, max_value=10**15, max_denominator=10**9),
    st.sampled_from([10_000, 50_000, 1_000_000]),
)
def test_rounding_up_adds_less_than_a_unit_and_nothing_to_a_multiple(
    amount: Fraction, unit: int
) -> None:
    paid = round_up(amount, unit)
    assert paid % unit == 0
    assert 0 <= paid - amount < unit


@given(AMOUNTS)
def test_j_agrees_with_decimal_arithmetic(value_micros: int) -> None:
    exact = Decimal(value_micros).scaleb(-6)
    by_decimal = exact.to_integral_value(rounding=ROUND_CEILING)
    assert whole_dollars_up(value_micros) == int(by_decimal) * 1_000_000


@rule("A-46")
@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("412345.678901", "412345.67"),
        ("412345.67", "412345.67"),
        ("412345.679999", "412345.67"),
        ("0.009999", "0.00"),
    ],
)
def test_a_display_never_shows_more_than_is_recorded(recorded: str, shown: str) -> None:
    assert plain_dollars(cut_to_cents(parse_dollars(recorded))) == shown


# Text


@rule("MET-2")
@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("0", 0),
        ("5", 5_000_000),
        ("5.00", 5_000_000),
        ("0.01", 10_000),
        ("412345.678901", 412_345_678_901),
        ("007.5", 7_500_000),
        ("999999999999.999999", 999_999_999_999_999_999),
    ],
)
def test_amounts_are_read_exactly(text: str, micros: int) -> None:
    assert parse_dollars(text) == micros


@rule("MET-2")
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        ".5",
        "5.",
        "-5",
        "+5",
        " 5",
        "5\n",
        "$5",
        "5,000",
        "1_000",
        "412.345,67",
        "NaN",
        "nan",
        "inf",
        "1e400",
        "1e3",
        "0x10",
        "5.1234567",
        "1000000000000",
        str(2**63),
        "9" * 5_000,
        "\N{ARABIC-INDIC DIGIT FIVE}",
        "\N{FULLWIDTH DIGIT FIVE}",
        "five",
    ],
)
def test_what_could_be_read_two_ways_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount") as told:
        parse_dollars(text)
    assert str(told.value) == (
        f"{text[:40]!r} is not an amount in dollars: write at most twelve digits and six decimals "
        "without separators, for example 412345.678901 (MET-2)."
    )


@given(AMOUNTS)
def test_written_amounts_are_read_back(value_micros: int) -> None:
    assert parse_dollars(plain_dollars(value_micros)) == value_micros


@given(st.integers(min_value=-(10**18), max_value=10**18))
def test_written_amounts_are_the_decimal_value_with_two_to_six_decimals(value_micros: int) -> None:
    text = plain_dollars(value_micros)
    assert Decimal(text) == Decimal(value_micros).scaleb(-6)
    assert 2 <= len(text.partition(".")[2]) <= 6


@pytest.mark.parametrize(
    ("micros", "plain", "people"),
    [
        (0, "0.00", "$0.00"),
        (1, "0.000001", "$0.000001"),
        (-321_099, "-0.321099", "-$0.321099"),
        (374_859_710_000, "374859.71", "$374,859.71"),
        (412_345_678_900, "412345.6789", "$412,345.6789"),
        (-1_000_000_000_000, "-1000000.00", "-$1,000,000.00"),
    ],
)
def test_amounts_are_written_for_programs_and_for_people(
    micros: int, plain: str, people: str
) -> None:
    assert plain_dollars(micros) == plain
    assert dollars(micros) == people
