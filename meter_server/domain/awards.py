"""Prizes for royal and straight flushes, from the record of the outcome to the payment.

pending -> determined -> paid; until it is paid a prize may be withheld, and then determined
(again); whatever is not paid may be voided. The
meter moved when the outcome was recorded; determination releases the payment (A-39).
"""

from dataclasses import dataclass, field
from enum import StrEnum

from meter_server.domain.hands import Hand


class AwardState(StrEnum):
    PENDING = "pending"
    WITHHELD = "withheld"
    DETERMINED = "determined"
    PAID = "paid"
    VOIDED = "voided"


class Caution(StrEnum):
    """What the Assistant Casino Manager must look at before determining a prize."""

    WITHOUT_CARDS = "without-cards"
    CHECK_THE_DECK = "check-the-deck"


UNDECIDED = frozenset({AwardState.PENDING, AwardState.WITHHELD})
"""Still to be determined: counted as paid (A-39), and keeping a system from closing (A-34)."""


@dataclass(frozen=True, slots=True)
class Award:
    id: str
    meter_id: str
    round_id: str
    seat: int
    hand: Hand
    amount_micros: int
    meter_seq: int
    """The settlement this prize belongs to, by its place on the meter."""
    recorded_by: str
    agent_at_us: int | None
    state: AwardState = AwardState.PENDING
    cautions: frozenset[Caution] = field(default_factory=frozenset)
    contested_with: frozenset[str] = field(default_factory=frozenset)
    """Rounds whose order with this one is contested; while any stands, the prize is held (A-38)."""
    tops_up: str | None = None
    """The prize that this one was granted on top of, beside its round's own settlement (A-58)."""
    approved_by: str | None = None
    """The supervisor whose grant stood behind the record, where one did."""
    behind: frozenset[str] = field(default_factory=frozenset)
    """Whoever recorded it, approved or confirmed its record, also before a correction (AUT-2)."""
    determined_by: str | None = None
    payment: str | None = None


@dataclass(frozen=True, slots=True)
class LaterPrize:
    """A prize that would have been another, had every settlement been right at once (A-58)."""

    award_id: str
    won_micros: int
    due_micros: int

    @property
    def top_up_micros(self) -> int:
        """What is proposed to be granted on top; nothing that was won is taken back."""
        return max(self.due_micros - self.won_micros, 0)


def award_id(round_id: str, seat: int) -> str:
    return f"{round_id}/{seat}"


def round_of(award: str) -> str:
    """The round that a prize, or the top-up of one, is named after."""
    return award.partition("+")[0].rpartition("/")[0]


def top_up_id(award: str, corrected_round_id: str) -> str:
    return f"{award}+{corrected_round_id}"
