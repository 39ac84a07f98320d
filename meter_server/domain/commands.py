"""Everything that can be asked of the floor. A command is a verb; what it says is evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pokerkit import Card

from meter_server.domain.hands import Hand
from meter_server.domain.notices import Change
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Gate, Limits


@dataclass(frozen=True, slots=True)
class OpenSystem:
    """Open a prize meter system with its founding tables, at seed x cost or higher (SYS-1, A-5)."""

    meter_id: str
    terms: Terms
    tables: tuple[str, ...]
    value_micros: int | None = None
    """The value to open at, where an older product's meter is taken over; None for seed x cost."""
    reference: str = ""
    training: bool = False


@dataclass(frozen=True, slots=True)
class TopUpMeter:
    """Add a voluntary amount of the operator's (A-5)."""

    meter_id: str
    amount_micros: int
    reason: str


@dataclass(frozen=True, slots=True)
class DefineTable:
    table_id: str
    game: GameKey
    seats: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class OpenTable:
    table_id: str


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Give the three hands' notice; without players the table closes at once."""

    table_id: str
    players_present: bool = True


@dataclass(frozen=True, slots=True)
class SetTournament:
    table_id: str
    on: bool


@dataclass(frozen=True, slots=True)
class SetManual:
    """Declare or end manual arrangements at a table (A-57)."""

    table_id: str
    on: bool


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Give a table other limits at once; a higher minimum is announced first (SGN-5)."""

    table_id: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class ReportGates:
    """Which of the conditions for taking wagers fail at a table just now (WAG-2, WAG-3, SGN-3)."""

    table_id: str
    failing: frozenset[Gate]


@dataclass(frozen=True, slots=True)
class RegisterWagers:
    """Begin a jackpot game: one wager for each named seat (WAG-4, WAG-5)."""

    round_id: str
    table_id: str
    seats: frozenset[int]
    cost_cents: int
    paper: str | None = None
    """The paper record this is keyed in from, under manual arrangements."""


@dataclass(frozen=True, slots=True)
class HandReport:
    """What the Dealer reports of one hand: declared, by its cards, or both."""

    hand: Hand | None = None
    own_cards: tuple[Card, ...] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """Record a whole round at once; seats not named have no winning hand (SET-2, SET-3)."""

    round_id: str
    hands: Mapping[int, HandReport] = field(default_factory=dict)
    shared_cards: tuple[Card, ...] = ()
    case: str | None = None
    """The misdeal despite which the jackpot is settled (A-20)."""
    paper: str | None = None


@dataclass(frozen=True, slots=True)
class DeclareIrregularity:
    """An irregularity of the round in progress, or of the wagers carried at the table."""

    table_id: str
    case: str
    seats: frozenset[int] = frozenset()
    """The seats concerned: returned, carried or forfeited, as the case has it."""
    joining: frozenset[int] = frozenset()
    """Seats whose wagers stand on the layout but were not registered (A-55)."""
    reason: str = ""
    paper: str | None = None
    """As in a registration."""
    round_id: str | None = None
    """The round that the paper tells of; None for the one in progress, or carried."""


@dataclass(frozen=True, slots=True)
class CorrectBonus:
    """Put right bonus hands of the last round, until the next registration (A-59)."""

    round_id: str
    hands: Mapping[int, Hand | None]


@dataclass(frozen=True, slots=True)
class CorrectSettlement:
    """Settle a recorded round again, as at its own time for settlement (A-58)."""

    round_id: str
    hands: Mapping[int, HandReport]
    shared_cards: tuple[Card, ...] = ()
    admitted: frozenset[int] = frozenset()
    """Seats admitted by a ruling although their wagers were never registered (A-55)."""
    reason: str = ""
    seen_seq: int | None = None
    """The entry by which the settlement stood when this was proposed; None for whichever."""


@dataclass(frozen=True, slots=True)
class VoidSettlement:
    """Undo a settlement by a compensating entry (A-58); refund where its outcome is invalidated."""

    round_id: str
    reason: str
    invalidated: str | None = None
    """The case by which the outcome is invalidated and all wagers refunded."""
    seen_seq: int | None = None
    """As in a correction."""


@dataclass(frozen=True, slots=True)
class GrantTopUp:
    """Turn a difference found by replay into a pending prize for a later winner (A-58)."""

    award_id: str
    corrected_round_id: str


@dataclass(frozen=True, slots=True)
class DecideOrder:
    """Decide in which order all rounds that contest each other were recorded (A-38)."""

    round_ids: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeterminePrize:
    """Confirm the computed amount as it was seen (A-39)."""

    award_id: str
    amount_micros: int
    meter_seq: int


@dataclass(frozen=True, slots=True)
class WithholdPrize:
    award_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class PayPrize:
    award_id: str
    method: str
    reference: str
    winner_digest: str | None = None
    """Of the winner's details, which are kept elsewhere."""


@dataclass(frozen=True, slots=True)
class DraftNotice:
    notice_id: str
    change: Change


@dataclass(frozen=True, slots=True)
class ConfirmDisplay:
    """A table's sign shows the notice; by hand of an Area Manager where the sign is broken."""

    notice_id: str
    table_id: str
    by_hand_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ReportDarkSign:
    """A sign stopped showing the notice, and since when (or until when) (A-35)."""

    notice_id: str
    table_id: str
    dark_from_us: int
    lit_again_us: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawNotice:
    notice_id: str


@dataclass(frozen=True, slots=True)
class ActOnNotice:
    """Carry out what a notice announced; drains the tables first where games are open."""

    notice_id: str
    offline_tables: frozenset[str] = frozenset()
    """Tables that cannot be reached, where new terms need not wait for their game (SYS-6)."""


Command = (
    OpenSystem
    | TopUpMeter
    | DefineTable
    | OpenTable
    | CloseTable
    | SetTournament
    | SetManual
    | SetLimits
    | ReportGates
    | RegisterWagers
    | RecordOutcome
    | DeclareIrregularity
    | CorrectBonus
    | CorrectSettlement
    | VoidSettlement
    | GrantTopUp
    | DecideOrder
    | DeterminePrize
    | WithholdPrize
    | PayPrize
    | DraftNotice
    | ConfirmDisplay
    | ReportDarkSign
    | WithdrawNotice
    | ActOnNotice
)
