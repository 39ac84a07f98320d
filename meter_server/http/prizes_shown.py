"""A prize as people see it, alone and with all that speaks for it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import Field

from meter_server.domain.awards import AwardState, Caution
from meter_server.domain.hands import Hand
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.statements import statement_json
from meter_server.http.api.models import Instant, Shown
from meter_server.reading.prizes import Order, PrizeFile
from meter_server.storage.prizes import PlaceRow, PrizeRow, Written

_WARNINGS = {
    Caution.WITHOUT_CARDS: "It was recorded without its cards, on a supervisor's word: look at the "
    "hand itself before you determine the prize (A-28).",
    Caution.CHECK_THE_DECK: "One deck cannot give these hands in one round: check the deck before "
    "you determine the prize (A-28).",
}


class PrizeShown(Shown):
    prize: str
    system: str
    training: bool = Field(description="For training only: no money is behind it.")
    table: str
    round: str
    seat: int
    hand: Hand
    amount_cents: int
    meter_seq: int = Field(description="Its settlement's place on the meter.")
    state: AwardState
    recorded_by: str
    approved_by: str | None = Field(description="Whose grant stood behind the record.")
    recorded_at: Instant = Field(description="The time for settlement.")
    table_clock: Instant | None = Field(description="What the table's own clock said: evidence.")
    cautions: list[Caution]
    contested_with: list[str] = Field(description="Rounds whose order with it is contested.")
    tops_up: str | None = Field(description="The prize that this one came on top of.")
    determined_by: str | None
    payment: str | None

    @classmethod
    def of(cls, row: PrizeRow) -> "PrizeShown":
        award = row.award
        return cls(
            prize=award.id,
            system=award.meter_id,
            training=row.training,
            table=row.table_id,
            round=award.round_id,
            seat=award.seat,
            hand=award.hand,
            amount_cents=award.amount_micros // MICROS_PER_CENT,
            meter_seq=award.meter_seq,
            state=award.state,
            recorded_by=award.recorded_by,
            approved_by=award.approved_by,
            recorded_at=row.at,
            table_clock=None if award.agent_at_us is None else _instant(award.agent_at_us),
            cautions=sorted(award.cautions),
            contested_with=sorted(award.contested_with),
            tops_up=award.tops_up,
            determined_by=award.determined_by,
            payment=award.payment,
        )


class PlaceShown(Shown):
    """A settlement with prizes, in its place on the meter."""

    round: str
    table: str
    meter_seq: int
    recorded_at: Instant
    table_clock: Instant | None

    @classmethod
    def of(cls, row: PlaceRow) -> "PlaceShown":
        return cls(
            round=row.round_id,
            table=row.table_id,
            meter_seq=row.seq,
            recorded_at=row.at,
            table_clock=row.agent_at,
        )


class OrderShown(Shown):
    """What each prize is, had the rounds been recorded in this order."""

    rounds: list[str]
    amounts_cents: dict[str, int]

    @classmethod
    def of(cls, order: Order) -> "OrderShown":
        amounts = {
            prize: micros // MICROS_PER_CENT for prize, micros in order.amounts_micros.items()
        }
        return cls(rounds=list(order.rounds), amounts_cents=amounts)


class OrdersShown(Shown):
    """Both ways: decide with the rounds of one of them (A-38)."""

    recorded: OrderShown
    by_the_tables_clocks: OrderShown


class ChapterShown(Shown):
    """Something that was recorded, ruled or put right."""

    at: Instant
    meter_seq: int
    kind: str
    what: str | None
    by: str
    approved_by: str | None
    second: str | None
    rule: str
    reason: str | None

    @classmethod
    def of(cls, written: Written) -> "ChapterShown":
        body, detail = written.body, written.body["detail"]
        return cls(
            at=written.at,
            meter_seq=body["seq"],
            kind=body["kind"],
            what=detail.get("what"),
            by=body["actor"],
            approved_by=body["approver"],
            second=body["second"],
            rule=body["rule"],
            reason=detail.get("reason") or None,
        )


class PrizeFileShown(Shown):
    """Everything that is needed to decide about a prize."""

    prize: PrizeShown
    warnings: list[str]
    own_cards: str = Field(description="Empty where it was recorded without cards.")
    shared_cards: str
    statement: dict[str, Any] = Field(
        description="The worked statement, amounts in millionths: docs/protocol.md, settlement."
    )
    meter_before_micros: int
    meter_after_micros: int
    order: list[PlaceShown] = Field(
        description="The settlements with prizes around it, in the order of the meter."
    )
    orders: OrdersShown | None = Field(description="Where the order is contested: both ways.")
    story: list[ChapterShown]

    @classmethod
    def of(cls, file: PrizeFile) -> "PrizeFileShown":
        statement = file.statement
        return cls(
            prize=PrizeShown.of(file.row),
            warnings=[_WARNINGS[one] for one in sorted(file.row.award.cautions)],
            own_cards=file.own_cards,
            shared_cards=file.shared_cards,
            statement=statement_json(statement),
            meter_before_micros=statement.meter_micros,
            meter_after_micros=statement.meter_after_micros,
            order=[PlaceShown.of(place) for place in file.places],
            orders=None
            if file.orders is None
            else OrdersShown(
                recorded=OrderShown.of(file.orders.recorded),
                by_the_tables_clocks=OrderShown.of(file.orders.by_the_tables_clocks),
            ),
            story=[ChapterShown.of(one) for one in file.story],
        )


def _instant(at_us: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at_us)
