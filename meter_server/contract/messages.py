"""What a table agent sends: numbered messages, each a command in the name of a person.

Every field is always there, null where it has no value: a message has one form, and its digest is
of that form. What is well formed here may still be refused by the rules; then it has been heard.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from meter_server.contract.fields import Count, Instant, Name, RoundId, Text

MESSAGES_MAX = 100
SEATS_MAX = 9

_CARD = "[2-9TJQKA][cdhs]"


def _each_once(seats: Sequence[int]) -> Sequence[int]:
    if len(set(seats)) != len(seats):
        raise ValueError("a seat is named once")
    return seats


Seat = Annotated[int, Field(ge=1, le=SEATS_MAX)]
Seats = Annotated[list[Seat], Field(max_length=SEATS_MAX), AfterValidator(_each_once)]
Cards = Annotated[str, StringConstraints(pattern=rf"^(?:{_CARD}(?: {_CARD}){{0,4}})?$")]
"""``Ad Kd``; empty where none were recorded."""
Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""A case of the rulebook; whether the game has it is the rules' to say."""
CostCents = Annotated[int, Field(ge=1, le=100_000_000)]

Hand = Literal[
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "one-pair",
    "no-pair",
]
Gate = Literal["amounts", "settlement-times", "meter-reading", "display"]


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RegisterWagers(Sent):
    kind: Literal["register-wagers"]
    round: RoundId
    table: Name
    seats: Seats
    cost_cents: CostCents


class HandReport(Sent):
    seat: Seat
    hand: Hand | None
    cards: Cards
    folded: bool


class RecordOutcome(Sent):
    kind: Literal["record-outcome"]
    round: RoundId
    hands: list[HandReport] = Field(max_length=SEATS_MAX)
    shared_cards: Cards
    case: Key | None = Field(description="The misdeal despite which the jackpot is settled.")

    @model_validator(mode="after")
    def _one_report_a_seat(self) -> Self:
        _each_once([report.seat for report in self.hands])
        return self


class DeclareIrregularity(Sent):
    kind: Literal["declare-irregularity"]
    table: Name
    case: Key
    seats: Seats
    joining: Seats
    reason: Text


class CorrectedHand(Sent):
    seat: Seat
    hand: Hand | None


class CorrectBonus(Sent):
    kind: Literal["correct-bonus"]
    round: RoundId
    hands: list[CorrectedHand] = Field(max_length=SEATS_MAX)

    @model_validator(mode="after")
    def _one_hand_a_seat(self) -> Self:
        _each_once([hand.seat for hand in self.hands])
        return self


class ReportGates(Sent):
    kind: Literal["report-gates"]
    table: Name
    failing: list[Gate] = Field(max_length=4)


class OpenTable(Sent):
    kind: Literal["open-table"]
    table: Name


class CloseTable(Sent):
    kind: Literal["close-table"]
    table: Name
    players_present: bool


Command = Annotated[
    RegisterWagers
    | RecordOutcome
    | DeclareIrregularity
    | CorrectBonus
    | ReportGates
    | OpenTable
    | CloseTable,
    Field(discriminator="kind"),
]


class Message(Sent):
    number: Count
    agent_at: Instant = Field(description="The table's own clock: evidence, never an order.")
    actor: Name = Field(description="The person who is signed on at the console.")
    grant: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")] | None = Field(
        description="A supervisor's authorisation, good for this message alone."
    )
    command: Command


class Messages(Sent):
    """Up to a hundred, with consecutive numbers; each is answered for itself, in order.

    They name their device, so that no two devices ever send the same bytes.
    """

    device: Name
    epoch: Count
    messages: list[Message] = Field(min_length=1, max_length=MESSAGES_MAX)

    @model_validator(mode="after")
    def _consecutive(self) -> Self:
        first = self.messages[0].number
        if [message.number for message in self.messages] != list(
            range(first, first + len(self.messages))
        ):
            raise ValueError("the messages of a request have consecutive numbers")
        return self
