"""Prizes off the meter: seen with all that speaks for them, determined, withheld, paid once."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Self

from pydantic import Field, model_validator

from meter_server.access import sessions, winners
from meter_server.access.permissions import Permission, payer_of, person_of
from meter_server.domain.awards import AwardState
from meter_server.domain.commands import (
    Command,
    DecideOrder,
    DeterminePrize,
    PayPrize,
    WithholdPrize,
)
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.people import Person
from meter_server.http.api.commands import Recorded, command
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import (
    Cents,
    Instant,
    Name,
    Page,
    PageQuery,
    PrizeName,
    RoundName,
    Shown,
    Strict,
    Text,
)
from meter_server.http.api.pages import page
from meter_server.http.api.people import COMMANDING, SIGNED_IN, Commander, Staff, permitted
from meter_server.http.prizes_shown import PrizeFileShown, PrizeShown
from meter_server.http.problems import Problem
from meter_server.reading import prizes
from meter_server.storage.staff import Account
from meter_server.storage.winners import Winner

family = Family("prizes", "Royal and straight-flush prizes")

_REFUSED = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
_ROUNDS_MAX = 500


class PrizesQuery(PageQuery):
    after: PrizeName | None = Field(default=None, description="The `next` of the page before.")
    state: AwardState | None = Field(default=None, description="Only those in this state.")
    contested: bool | None = Field(
        default=None, description="Only those whose order is contested, or is not."
    )
    system: Name | None = Field(default=None, description="Only those of this system.")


class AsSeen(Strict):
    """The prize as it was seen: nobody types an amount that the statement does not say."""

    amount_cents: Cents
    meter_seq: int = Field(ge=1)


class Determination(AsSeen):
    """What was seen, and once more the person's own password or PIN."""

    password: str | None = Field(
        default=None, min_length=1, max_length=128, json_schema_extra={"format": "password"}
    )
    pin: str | None = Field(
        default=None, min_length=1, max_length=12, json_schema_extra={"format": "password"}
    )

    @model_validator(mode="after")
    def _one_secret(self) -> Self:
        if (self.password is None) == (self.pin is None):
            raise ValueError("give your password or your PIN")
        return self


class Withholding(Strict):
    reason: Text


class Payment(Strict):
    method: Text = Field(examples=["cheque"])
    reference: Text = Field(examples=["000077"])


class WinnerDetails(Strict):
    name: Text
    identified_by: Text = Field(examples=["passport PA1234567"])
    contact: Text | None = None


class WinnerNoted(Shown):
    prize: str
    digest: str = Field(description="What the journal will know of the winner.")
    noted_by: str
    noted_at: Instant


class WinnerShown(WinnerNoted):
    name: str
    identified_by: str
    contact: str | None


class OrderDecided(Strict):
    rounds: list[RoundName] = Field(
        min_length=1,
        max_length=_ROUNDS_MAX,
        description="All rounds that contest each other, the first recorded first.",
    )
    reason: Text = Field(examples=["Camera 12: T4 turned its royal first."])


@family.get("/v1/prizes", permitted(Permission.READ_PRIZES), "List the prizes, oldest first.")
def list_prizes(caller: Staff, query: PrizesQuery) -> Page[PrizeShown]:
    found = prizes.page(
        caller.parts.desk.database,
        state=query.state,
        contested=query.contested,
        meter_id=query.system,
        after=query.after or "",
        rows=query.limit + 1,
    )
    return page(found, query.limit, PrizeShown.of, lambda prize: prize.prize)


@family.get(
    "/v1/prizes/<prize:prize_id>",
    permitted(Permission.READ_PRIZES),
    "Show a prize with everything that is needed to decide about it.",
)
def show(caller: Staff, prize_id: PrizeName) -> PrizeFileShown:
    found = prizes.file_of(caller.parts.desk.database, prize_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no prize {prize_id}: see the list.")
    return PrizeFileShown.of(found)


@family.post(
    "/v1/prizes/<path:prize_id>/determination",
    COMMANDING,
    "Determine a prize: confirm its amount as it was seen, which releases the payment.",
    refuses=_REFUSED,
)
def determine(caller: Commander, prize_id: PrizeName, body: Determination) -> Recorded:
    sessions.reauthenticate(
        caller.parts.desk, caller.origin, caller.account, password=body.password, pin=body.pin
    )
    wanted = DeterminePrize(prize_id, body.amount_cents * MICROS_PER_CENT, body.meter_seq)
    seen = body.model_dump_json(include=set(AsSeen.model_fields)).encode()
    return _command(caller, "determine", wanted, prize_id, asked=seen)


@family.post(
    "/v1/prizes/<path:prize_id>/withholding",
    COMMANDING,
    "Withhold a prize until an investigation is done.",
    refuses=_REFUSED,
)
def withhold(caller: Commander, prize_id: PrizeName, body: Withholding) -> Recorded:
    return _command(caller, "withhold", WithholdPrize(prize_id, body.reason), prize_id)


@family.post(
    "/v1/prizes/<path:prize_id>/payment",
    COMMANDING,
    "Record that a determined prize was paid, once.",
    refuses=_REFUSED,
)
def pay(caller: Commander, prize_id: PrizeName, body: Payment) -> Recorded:
    winner = winners.digest_for(caller.parts.desk, prize_id)
    wanted = PayPrize(prize_id, body.method, body.reference, winner)
    return _command(caller, "pay", wanted, prize_id, who=payer_of)


@family.post(
    "/v1/prizes/<path:prize_id>/winner",
    SIGNED_IN,
    "Take down who won. The journal will know a salted digest of it and nothing else.",
    refuses=[HTTPStatus.CONFLICT],
)
def note_winner(caller: Staff, prize_id: PrizeName, body: WinnerDetails) -> WinnerNoted:
    winner = winners.note(
        caller.parts.desk, caller.origin, caller.account, prize_id, body.model_dump()
    )
    return WinnerNoted(**_noted(prize_id, winner))


@family.get(
    "/v1/winners/<path:prize_id>",
    SIGNED_IN,
    "Show who won a prize; the trail keeps who looked.",
)
def show_winner(caller: Staff, prize_id: PrizeName) -> WinnerShown:
    winner = winners.show(caller.parts.desk, caller.origin, caller.account, prize_id)
    return WinnerShown(**_noted(prize_id, winner), **winner.details)


@family.post(
    "/v1/orders",
    COMMANDING,
    "Decide in which order the rounds that contest each other were recorded.",
    refuses=_REFUSED,
)
def decide_order(caller: Commander, body: OrderDecided) -> Recorded:
    first = body.rounds[0]

    def look() -> dict[str, Any]:
        database = caller.parts.desk.database
        contested = prizes.page(database, contested=True, rows=_ROUNDS_MAX)
        return {"contested": [one.award.id for one in contested]}

    return command(
        caller, "prize:decide-order", first, DecideOrder(tuple(body.rounds), body.reason), look
    )


def _noted(prize_id: str, winner: Winner) -> dict[str, Any]:
    return {
        "prize": prize_id,
        "digest": winner.digest,
        "noted_by": winner.noted_by,
        "noted_at": winner.noted_at,
    }


def _command(
    caller: Commander,
    action: str,
    wanted: Command,
    prize_id: str,
    *,
    asked: bytes | None = None,
    who: Callable[[Account], Person] = person_of,
) -> Recorded:
    def look() -> dict[str, Any] | None:
        found = prizes.find(caller.parts.desk.database, prize_id)
        return None if found is None else PrizeShown.of(found).model_dump(mode="json")

    return command(caller, f"prize:{action}", prize_id, wanted, look, asked=asked, who=who)
