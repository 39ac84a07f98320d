"""What signs are told: the floor as one database read found it.

Frames are no orders and no promises. A floor with a lower ``order`` is older, whatever the clocks
say, and is never shown after a later one; its age counts from ``read_at``.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from meter_server.contract.fields import Count, Instant, Name, RoundId
from meter_server.contract.messages import Gate, Hand, Seat

CHANNEL = "prize-meter:frames"
"""Where Redis tells of each floor."""
KEY = "prize-meter:floor"
"""Where Redis keeps the latest: a hash of ``order`` and ``floor``."""
KEPT_MS = 30_000
"""So long Redis keeps a floor; what is left of it tells how old the floor is."""

Game = Literal["wsop", "ultimate", "three-card"]
Micros = Annotated[int, Field(description="Millionths of a dollar.")]
AwardId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class Pay(Frame):
    """One line of the pay table: a part of the meter, or an amount for this system's cost."""

    hand: Hand
    percent: int | None
    amount_micros: Micros | None


class Meter(Frame):
    meter: Name
    seq: Count
    epoch: Count = Field(description="One more with each reset.")
    value_micros: Micros
    royal_pays_micros: Micros = Field(description="The rounded meter value j (A-46).")
    at: Instant = Field(description="When the meter last moved.")
    state: Literal["open", "closed"]
    training: bool
    option: int
    cost_cents: int
    pays: Sequence[Pay]


class Notice(Frame):
    notice: Name
    kind: Literal[
        "add-table",
        "remove-table",
        "transfer-table",
        "close-system",
        "change-terms",
        "raise-minimum",
    ]
    to: Name | None = Field(description="The system that a table is added or transferred to.")
    due: Instant | None = Field(
        description="When the change may take effect; null until every sign concerned shows it."
    )
    minimum_cents: int | None = Field(description="Of the table's bets, where they will change.")
    maximum_cents: int | None
    option: int | None = Field(description="Of the table's system, where its terms will change.")
    cost_cents: int | None


class Table(Frame):
    table: Name
    game: Game
    meter: Name | None
    state: Literal["open", "closed"]
    seats: int
    registered: Sequence[Seat] = Field(description="With a wager in the round, or carried to it.")
    round: RoundId | None = Field(description="The open round, or else the last one.")
    playing: bool = Field(description="Whether that round is open.")
    minimum_cents: int | None
    maximum_cents: int | None
    taking: bool = Field(description="Whether Jackpot wagers are taken here.")
    failing: Sequence[Gate]
    manual: bool
    tournament: bool
    hands_left: int | None
    notices: Sequence[Notice]


class Hit(Frame):
    """A prize off a meter."""

    hit: AwardId
    meter: Name
    meter_seq: Count
    table: Name
    hand: Hand
    amount_micros: Micros | None = Field(
        description="Null before determination where the house does not show it until then."
    )
    verified: bool = Field(description="Whether the prize has been determined.")
    at: Instant


class Floor(Frame):
    """Everything that any sign may show, from one snapshot of the database."""

    order: Count = Field(description="Later snapshots have higher ones, never lower.")
    read_at: Instant
    meters: Sequence[Meter]
    tables: Sequence[Table]
    hits: Sequence[Hit] = Field(description="The last of each meter, oldest first.")
