"""How a table stands, as the server tells its agent: what a console begins from.

It is one moment of the books: the device's last number and all that is recorded belong together, so
an agent takes this, adds what it has said since, and has the table as it is. Who stands there, and
what the server itself finds failing, is as it was when the request came.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from meter_server.contract.fields import Count, Instant, Name, RoundId
from meter_server.contract.messages import Gate, Hand, Seat

Micros = int
Cents = int


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TermsTold(Told):
    """Rates and pay table follow from these by the rulebook."""

    option: int
    seed_dollars: int
    cost_cents: Cents


class MeterTold(Told):
    system: Name
    training: bool
    open: bool
    terms: TermsTold
    value_micros: Micros
    seq: int


class SeatTold(Told):
    seat: Seat
    state: Literal["live", "folded", "carried", "returned", "forfeited"]
    hand: Hand | None


class PrizeTold(Told):
    prize: str
    seat: Seat
    hand: Hand
    amount_micros: Micros
    state: Literal["pending", "withheld", "determined", "paid", "voided"]
    contested: bool = Field(description="Its order with another table's is still to be decided.")


class RoundTold(Told):
    round: RoundId
    state: Literal["registered", "settled", "carried", "cancelled", "refunded"]
    terms: TermsTold = Field(description="Those it was registered under, and so settles under.")
    seats: list[SeatTold]
    bonus: list[tuple[Seat, Micros]]
    prizes: list[PrizeTold]
    settled_at: Instant | None


class CarryTold(Told):
    round: RoundId
    seats: list[Seat]
    whole: bool = Field(description="A whole game: then a change of seats cancels it.")


class NoticeTold(Told):
    notice: Name
    change: Literal[
        "add-table",
        "remove-table",
        "transfer-table",
        "close-system",
        "change-terms",
        "raise-minimum",
    ]
    ready_at: Instant | None = Field(description="Null until the last sign shows it.")


class CallTold(Told):
    call: int
    rank: Name
    rank_title: str
    reason: str
    called_at: Instant
    coming: str | None = Field(description="Who is on the way.")


class PersonTold(Told):
    number: Name
    name: str
    role: str
    level: int | None


class TableTold(Told):
    device: Name
    epoch: Count
    last_number: int = Field(description="Of the device's messages that are in here.")
    table: Name
    game: Literal["wsop", "ultimate", "three-card"]
    seats: int
    open: bool
    hands_left: int | None = Field(description="Counted down once its closing is announced.")
    tournament: bool
    manual: bool
    failing: list[Gate]
    draining_for: Name | None = Field(description="The notice that waits for the open game.")
    meter: MeterTold | None
    open_round: RoundTold | None
    last_round: RoundTold | None
    carry: CarryTold | None
    notices: list[NoticeTold]
    calls: list[CallTold] = Field(description="Who is called here and has not come.")
    signed_on: PersonTold | None
    readings: str = Field(description="That decide amounts, as settlements name them.")
    checkpoint: str | None = Field(description="The last one that is kept outside the database.")
    at: Instant
