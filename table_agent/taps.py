"""What can be tapped: the console's whole language, parsed strictly.

``place`` says where in the table's life the dealer saw the screen: a tap that arrives when the
table has moved on, such as the second of a double tap, does nothing.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from meter_server.contract.fields import Name, Text
from meter_server.contract.messages import Cards, CorrectedHand, Hand, Key, Seat, Seats, Sent
from meter_server.domain.rulebook.authority import Action

_SECRETS = {"pin", "card"}


class Pin(Sent):
    """A person by staff number or card, and the PIN; never kept."""

    number: Name | None = None
    card: str | None = Field(default=None, min_length=4, max_length=100)
    pin: str = Field(min_length=1, max_length=12)

    @model_validator(mode="after")
    def _one_name(self) -> Self:
        if (self.number is None) == (self.card is None):
            raise ValueError("name the person by number or by card")
        return self

    def body(self) -> Json:
        return self.model_dump(include={"number", "card", "pin"}, exclude_none=True)


class Asked(Sent):
    """A supervisor's word that was asked for and is waited for from a device of their own."""

    asked: int


Approval = Pin | Asked


class Placed(Sent):
    place: str


class TouchSeat(Placed):
    """A seat as the dealer means it: told again it stays so, whatever was sensed meanwhile."""

    tap: Literal["seat"]
    seat: Seat
    lit: bool


class SenseSeats(Sent):
    """What a sensor sees: all seats with a wager, at once."""

    tap: Literal["sensed"]
    seats: Seats


class Register(Placed):
    tap: Literal["register"]


class PlayWithoutJackpot(Placed):
    tap: Literal["play-without-jackpot"]


class DeclareHand(Placed):
    tap: Literal["hand"]
    seat: Seat
    hand: Hand | None
    cards: Cards
    folded: bool


class ShowCards(Placed):
    tap: Literal["shared-cards"]
    cards: Cards


class SettleDespite(Placed):
    """The hand is a misdeal and the jackpot is settled all the same: the outcome comes next."""

    tap: Literal["settle-despite"]
    case: Key


class Clear(Placed):
    tap: Literal["clear"]


class NoWinners(Placed):
    tap: Literal["no-winners"]


class Record(Placed):
    tap: Literal["record"]
    approval: Approval | None = None


class Declare(Placed):
    tap: Literal["declare"]
    case: Key
    seats: Seats = Field(default_factory=list)
    joining: Seats = Field(default_factory=list)
    reason: Text = ""
    approval: Approval | None = None


class CorrectBonus(Placed):
    tap: Literal["correct-bonus"]
    hands: list[CorrectedHand] = Field(min_length=1, max_length=9)
    approval: Approval | None = None


class OpenTable(Sent):
    tap: Literal["open-table"]
    approval: Approval | None = None


class CloseTable(Sent):
    tap: Literal["close-table"]
    players_present: bool
    approval: Approval | None = None


class AskApproval(Sent):
    """A supervisor may approve this from a device of their own."""

    tap: Literal["ask-approval"]
    action: Action


class EndApproval(Sent):
    tap: Literal["end-approval"]
    approval: int


class SignOn(Pin):
    tap: Literal["sign-on"]


class SignOff(Sent):
    tap: Literal["sign-off"]


class Call(Sent):
    tap: Literal["call"]
    rank: Name
    reason: Text


class EndCall(Sent):
    tap: Literal["end-call"]
    call: int


Tap = Annotated[
    TouchSeat
    | SenseSeats
    | Register
    | PlayWithoutJackpot
    | DeclareHand
    | ShowCards
    | SettleDespite
    | Clear
    | NoWinners
    | Record
    | Declare
    | CorrectBonus
    | OpenTable
    | CloseTable
    | AskApproval
    | EndApproval
    | SignOn
    | SignOff
    | Call
    | EndCall,
    Field(discriminator="tap"),
]
_TAP: TypeAdapter[Tap] = TypeAdapter(Tap)


def read(body: bytes) -> Tap:
    try:
        return _TAP.validate_json(body)
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False, include_context=False)
        place = ".".join(str(step) for step in first["loc"])
        raise DeviceError(f"That is no tap: '{place}': {first['msg']}.") from None


def kept(tap: Tap) -> Json:
    """As it goes into the log for disputes: who approved, never with what."""
    return _without_secrets(tap.model_dump(mode="json"))


def _without_secrets(value: Json) -> Json:
    return {
        name: _without_secrets(inner) if isinstance(inner, dict) else inner
        for name, inner in value.items()
        if name not in _SECRETS
    }
