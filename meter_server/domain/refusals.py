"""Refusals: sentences a dealer or a manager can act on.

The kinds stand in order of precedence: where several apply, the first is the one told. Each says
what is refused and what to do; the rule that decides is named where the refusal is made, because
the two documents number the same rule differently.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Every reason to refuse a command, most telling first."""

    # Who is asking.
    NOT_AUTHORISED = "not-authorised"
    SECOND_PERSON_NEEDED = "second-person-needed"
    OWN_OUTCOME = "own-outcome"
    # What is named.
    UNKNOWN = "unknown"
    ALREADY_EXISTS = "already-exists"
    NOTICE_ENDED = "notice-ended"
    # Systems.
    SYSTEM_CLOSED = "system-closed"
    COST_TAKEN = "cost-taken"
    TERMS_DIFFER = "terms-differ"
    OPENING_BELOW_SEED = "opening-below-seed"
    NOTHING_ADDED = "nothing-added"
    TRAINING_MIXED = "training-mixed"
    TABLE_IN_A_GROUP = "table-in-a-group"
    TABLE_IN_NO_GROUP = "table-in-no-group"
    # Tables.
    TABLE_CLOSED = "table-closed"
    TOURNAMENT = "tournament"
    MANUAL_NOT_DECLARED = "manual-not-declared"
    MANUAL_ON_PAPER = "manual-on-paper"
    NOT_OPERATING = "not-operating"
    DISPLAY_NOT_OPERATING = "display-not-operating"
    DRAINING = "draining"
    GAME_OPEN = "game-open"
    # Wagers.
    NO_SEATS = "no-seats"
    SEAT_NOT_AT_TABLE = "seat-not-at-table"
    WRONG_COST = "wrong-cost"
    WRONG_LIMITS = "wrong-limits"
    NOTICE_NEEDED = "notice-needed"
    NOTICE_NOT_NEEDED = "notice-not-needed"
    # Rounds.
    ROUND_ENDED = "round-ended"
    ROUND_CARRIED = "round-carried"
    # Irregularities.
    CASE_NOT_PROVIDED = "case-not-provided"
    RECORD_OUTCOME_INSTEAD = "record-outcome-instead"
    NOTHING_CARRIED = "nothing-carried"
    SEATS_NOT_NAMED = "seats-not-named"
    SEAT_WITHOUT_WAGER = "seat-without-wager"
    SEAT_HAS_WAGER = "seat-has-wager"
    # Outcomes.
    BAD_CARDS = "bad-cards"
    HAND_NOT_AS_CARDS = "hand-not-as-cards"
    SPLIT_NOT_PROVIDED = "split-not-provided"
    SPLIT_NOT_POSSIBLE = "split-not-possible"
    CARDS_NEEDED = "cards-needed"
    # Bonus hands put right at the table.
    TOUCHES_METER = "touches-meter"
    TOO_LATE = "too-late"
    NOTHING_DIFFERS = "nothing-differs"
    # Prizes.
    PRIZE_ENDED = "prize-ended"
    PRIZE_NOT_DETERMINED = "prize-not-determined"
    ORDER_CONTESTED = "order-contested"
    ORDER_NOT_CONTESTED = "order-not-contested"
    NOT_AS_SEEN = "not-as-seen"
    ALREADY_PAID = "already-paid"
    # Notices.
    NOTICE_NOT_DISPLAYED = "notice-not-displayed"
    NOTICE_TOO_EARLY = "notice-too-early"
    # Closure.
    SHARES_NOT_WHOLE = "shares-not-whole"
    PRIZE_UNDETERMINED = "prize-undetermined"
    NOWHERE_TO_TRANSFER = "nowhere-to-transfer"


PRECEDENCE = {kind: place for place, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was refused, by which rule, and what to do instead."""

    kind: Kind
    reason: str
    rule: str
    remedy: str

    @property
    def sentence(self) -> str:
        return f"{self.reason} [{self.rule}] {self.remedy}"


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error.
    """Carries a refusal out of a decision."""

    def __init__(self, kind: Kind, reason: str, *, rule: str, remedy: str) -> None:
        self.refusal = Refusal(kind, reason, rule, remedy)
        super().__init__(self.refusal.sentence)


_TOLD_MOST = 5


def several(names: Iterable[str]) -> str:
    """Names in a sentence, which has room for a few: the others are counted."""
    told = list(names)
    more = f" and {len(told) - _TOLD_MOST} more" if len(told) > _TOLD_MOST else ""
    return ", ".join(told[:_TOLD_MOST]) + more
