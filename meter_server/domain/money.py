"""Money as integers.

A wager's cost is whole cents and an increment rate is whole hundredths of a percent, so every
contribution is a whole number of millionths of a dollar and no meter is ever rounded (MET-2).
"""

import re
from fractions import Fraction

MICROS_PER_DOLLAR = 1_000_000
MICROS_PER_CENT = 10_000

# Twelve digits of dollars are millionths that still fit the eight bytes of a database's integer.
_DOLLARS = re.compile(r"(?P<whole>[0-9]{1,12})(?:\.(?P<part>[0-9]{1,6}))?")


def round_up(amount_micros: int | Fraction, unit_micros: int) -> int:
    """The smallest multiple of the unit that is no less than the amount."""
    return -(-amount_micros // unit_micros) * unit_micros


def whole_dollars_up(value_micros: int) -> int:
    """The rounded meter value j: a value already on a whole dollar stays (SET-1, A-6)."""
    return round_up(value_micros, MICROS_PER_DOLLAR)


def cut_to_cents(value_micros: int) -> int:
    """What a display may show: never more than is recorded (A-46)."""
    return value_micros - value_micros % MICROS_PER_CENT


def parse_dollars(text: str) -> int:
    """Millionths from text such as ``412345.678901``; ValueError tells what is wrong.

    Separators are refused: a comma is thousands to one person and decimals to another.
    """
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{text[:40]!r} is not an amount in dollars: write at most twelve digits and six "
            "decimals without separators, for example 412345.678901 (MET-2)."
        )
    return int(match["whole"]) * MICROS_PER_DOLLAR + int((match["part"] or "").ljust(6, "0"))


def plain_dollars(value_micros: int) -> str:
    """Dollars as an exact decimal string for machines: at least two decimals, no separators."""
    sign = "-" if value_micros < 0 else ""
    whole, part = divmod(abs(value_micros), MICROS_PER_DOLLAR)
    decimals = f"{part:06d}"
    return f"{sign}{whole}.{decimals[:2]}{decimals[2:].rstrip('0')}"


def dollars(value_micros: int) -> str:
    """Dollars for people: ``$412,345.678901``, at least two decimals, nothing lost."""
    whole, decimals = plain_dollars(abs(value_micros)).split(".")
    sign = "-" if value_micros < 0 else ""
    return f"{sign}${int(whole):,}.{decimals}"
