"""Readings of the rules that an installation may set; each is decided here and nowhere else."""

from dataclasses import dataclass
from enum import StrEnum

from meter_server.domain.money import MICROS_PER_CENT, parse_dollars, plain_dollars

MINUTE_US = 60 * 1_000_000
HOUR_US = 60 * MINUTE_US

TABLE_NOTICE_US = 20 * MINUTE_US
"""How long a table's sign stands before a table moves or a system closes (SYS-7, SYS-8)."""

DARK_SIGN_US = MINUTE_US
"""A sign dark for longer than this starts its clock again (A-35)."""


class SplitBasis(StrEnum):
    """Whether shares follow the formula or the percentages as printed (A-2)."""

    FORMULA = "formula"
    PRINTED = "printed"


class Scope(StrEnum):
    """How far 'every system' reaches: the whole casino or one rule book (A-31)."""

    CASINO = "casino"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Readings:
    """The installation's choices, recorded with every settlement."""

    split_basis: SplitBasis = SplitBasis.FORMULA
    payable_unit_micros: int = MICROS_PER_CENT
    """Prizes are paid up to this unit (A-8)."""
    scope: Scope = Scope.CASINO
    terms_notice_us: int = 24 * HOUR_US
    """The 'reasonable period' before an option, seed or cost changes (A-36)."""
    notice_life_us: int = 24 * HOUR_US
    """A notice that nobody acts on lapses this long after its period is over."""

    def __post_init__(self) -> None:
        if self.payable_unit_micros <= 0 or self.payable_unit_micros % MICROS_PER_CENT:
            raise ValueError("The payable unit is a positive number of whole cents (A-8).")
        if self.terms_notice_us < TABLE_NOTICE_US:
            raise ValueError("The notice of a change of option is never under 20 minutes (A-36).")
        if self.notice_life_us <= 0:
            raise ValueError("A notice must live for some time after its period.")

    def label(self) -> str:
        """How a settlement names the readings that decide its amounts."""
        return f"split={self.split_basis};unit={plain_dollars(self.payable_unit_micros)}"


DEFAULT_READINGS = Readings()


def readings_from_label(label: str) -> Readings:
    """The amount-deciding readings that a settlement was made under, from its own label."""
    parts = dict(part.split("=") for part in label.split(";"))
    return Readings(
        split_basis=SplitBasis(parts["split"]),
        payable_unit_micros=parse_dollars(parts["unit"]),
    )
