"""Seeds, increment rates and pay tables.

An option's seeds and its pay table are to be used in conjunction only, so they are one value: no
code can pair the seeds of one option with the payouts of the other (SYS-10).
"""

from dataclasses import dataclass

from meter_server.domain.hands import Hand
from meter_server.domain.money import MICROS_PER_CENT, MICROS_PER_DOLLAR


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One printed line: a seed for each $1 of cost and its rate in hundredths of a percent."""

    seed_dollars: int
    rate_bp: int


@dataclass(frozen=True, slots=True)
class Option:
    """An option's seeds, rates and bonus payouts, with the tables they are printed in."""

    number: int
    rows: tuple[SeedRow, ...]
    bonus_dollars: tuple[tuple[Hand, int], ...]
    """For each $1 of Jackpot wager; the stake is not returned on top (BON-1, A-41)."""
    seed_citation: str
    payout_citation: str

    def row(self, seed_dollars: int) -> SeedRow | None:
        return next((row for row in self.rows if row.seed_dollars == seed_dollars), None)


def _rows(*pairs: tuple[int, int]) -> tuple[SeedRow, ...]:
    return tuple(SeedRow(seed, rate) for seed, rate in pairs)


OPTION_1 = Option(
    number=1,
    rows=_rows(
        (10_000, 3406),
        (20_000, 3251),
        (30_000, 3094),
        (40_000, 2936),
        (50_000, 2776),
        (60_000, 2612),
        (75_000, 2350),
    ),
    bonus_dollars=((Hand.FOUR_OF_A_KIND, 500), (Hand.FULL_HOUSE, 150), (Hand.FLUSH, 100)),
    seed_citation="WSOP Table 2; Three Card Table 1",
    payout_citation="WSOP Table 4; Three Card Table 3",
)

OPTION_2 = Option(
    number=2,
    rows=_rows(
        (10_000, 3102),
        (20_000, 2947),
        (30_000, 2790),
        (40_000, 2632),
        (50_000, 2470),
        (60_000, 2302),
        (75_000, 2028),
    ),
    bonus_dollars=(
        (Hand.FOUR_OF_A_KIND, 600),
        (Hand.FULL_HOUSE, 100),
        (Hand.FLUSH, 60),
        (Hand.STRAIGHT, 40),
    ),
    seed_citation="WSOP Table 3; Three Card Table 2",
    payout_citation="WSOP Table 5; Three Card Table 4",
)

OPTIONS = {option.number: option for option in (OPTION_1, OPTION_2)}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a system runs under: one row of one option, at one cost of the Jackpot wager."""

    option_number: int
    seed_dollars: int
    cost_cents: int

    def __post_init__(self) -> None:
        if self.option_number not in OPTIONS:
            raise ValueError(
                "The rules provide Option 1 and Option 2 only (WSOP 9.1.1(f); Three Card 6.1.1(f))."
            )
        if self.option.row(self.seed_dollars) is None:
            seeds = ", ".join(f"{row.seed_dollars:,}" for row in self.option.rows)
            raise ValueError(
                f"{self.seed_dollars:,} is not an initial seed of {self.option.seed_citation}: "
                f"choose one of {seeds}."
            )
        if self.cost_cents <= 0:
            raise ValueError(
                "The cost of the Jackpot wager is a positive number of whole cents "
                "(WSOP 9.2.3; Three Card 6.2.3)."
            )

    @property
    def option(self) -> Option:
        return OPTIONS[self.option_number]

    @property
    def rate_bp(self) -> int:
        row = self.option.row(self.seed_dollars)
        assert row is not None  # noqa: S101 - __post_init__ refuses a seed that is not printed.
        return row.rate_bp

    @property
    def cost_micros(self) -> int:
        return self.cost_cents * MICROS_PER_CENT

    @property
    def reseed_micros(self) -> int:
        """r, the reseed value: seed x cost, at every cost (SET-9, A-4)."""
        return self.seed_dollars * self.cost_micros

    @property
    def contribution_micros(self) -> int:
        """What one wager adds to the meter: a whole number of millionths (MET-2, MET-3)."""
        return self.cost_cents * self.rate_bp

    def bonus_micros(self, hand: Hand) -> int:
        """The bonus payout of a hand for one wager, nothing where the table prints none (BON-1)."""
        for_each_dollar = dict(self.option.bonus_dollars).get(hand, 0)
        return for_each_dollar * self.cost_cents * MICROS_PER_DOLLAR // 100
