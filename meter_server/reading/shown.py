"""What the signs show now: meters with their pay tables, tables with their notices, and hits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from meter_server.domain.awards import UNDECIDED, Award
from meter_server.domain.entries import timestamp
from meter_server.domain.hands import Hand
from meter_server.domain.meter import Meter
from meter_server.domain.money import whole_dollars_up
from meter_server.domain.notices import (
    AddTable,
    Change,
    ChangeTerms,
    CloseSystem,
    Notice,
    RaiseMinimum,
    RemoveTable,
    TransferTable,
)
from meter_server.domain.rounds import Round, SeatState
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import royal_fraction, straight_flushes_alone
from meter_server.domain.tables import Gate, Table, TableState
from meter_server.storage import shown
from meter_server.storage.database import Database
from meter_server.storage.shown import FloorRow, HitRow, MeterRow

_KINDS: dict[type[Change], str] = {
    AddTable: "add-table",
    RemoveTable: "remove-table",
    TransferTable: "transfer-table",
    CloseSystem: "close-system",
    ChangeTerms: "change-terms",
    RaiseMinimum: "raise-minimum",
}


@dataclass(frozen=True, slots=True)
class PayShown:
    hand: str
    percent: int | None
    amount_micros: int | None


@dataclass(frozen=True, slots=True)
class MeterShown:
    meter: str
    seq: int
    epoch: int
    value_micros: int
    royal_pays_micros: int
    at: str
    state: str
    training: bool
    option: int
    cost_cents: int
    pays: list[PayShown]


@dataclass(frozen=True, slots=True)
class NoticeShown:
    notice: str
    kind: str
    to: str | None
    due: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    option: int | None
    cost_cents: int | None


@dataclass(frozen=True, slots=True)
class TableShown:
    table: str
    game: str
    meter: str | None
    state: str
    seats: int
    registered: list[int]
    round: str | None
    playing: bool
    minimum_cents: int | None
    maximum_cents: int | None
    taking: bool
    failing: list[str]
    manual: bool
    tournament: bool
    hands_left: int | None
    notices: list[NoticeShown]


@dataclass(frozen=True, slots=True)
class HitShown:
    hit: str
    meter: str
    meter_seq: int
    table: str
    hand: str
    amount_micros: int | None
    verified: bool
    at: str


@dataclass(frozen=True, slots=True)
class FloorShown:
    order: int
    read_at: str
    meters: list[MeterShown]
    tables: list[TableShown]
    hits: list[HitShown]


Failing = Callable[[str], frozenset[Gate]]
"""Which conditions for taking wagers fail at a table, by what the server itself knows."""


def floor(
    database: Database, readings: Readings, failing: Failing, *, amounts_at_once: bool
) -> FloorShown:
    """One read; ``amounts_at_once``: also those of prizes that are not determined yet."""
    with database.connection() as connection:
        row = shown.floor(connection)
    tables_of = {
        notice.id: [table.id for table in row.tables if concerns(notice.change, table)]
        for notice in row.notices
    }
    return FloorShown(
        order=row.order,
        read_at=_written(row.read_at),
        meters=[_meter(each) for each in row.meters],
        tables=[
            _table(
                table,
                row,
                table.failing | failing(table.id),
                [
                    _notice(notice, table, tables_of[notice.id], readings)
                    for notice in row.notices
                    if table.id in tables_of[notice.id]
                ],
            )
            for table in row.tables
        ],
        hits=[_hit(each, amounts_at_once) for each in row.hits],
    )


def concerns(change: Change, table: Table) -> bool:
    """Whether this table's sign must show the notice of a change (SGN-4)."""
    match change:
        case AddTable() | RemoveTable() | TransferTable() | RaiseMinimum():
            return change.table_id == table.id
        case CloseSystem():
            return change.meter_id == table.meter_id
        case ChangeTerms():
            return table.meter_id in change.terms


def pay_table(terms: Terms) -> list[PayShown]:
    """The parts of the meter, then the bonus payouts at this cost, as the option prints them."""
    royal, straight_flush = royal_fraction(1, 0), straight_flushes_alone(1).of_j
    return [
        PayShown(Hand.ROYAL_FLUSH.value, int(royal * 100), None),
        PayShown(Hand.STRAIGHT_FLUSH.value, int(straight_flush * 100), None),
        *(
            PayShown(hand.value, None, terms.bonus_micros(hand))
            for hand, _ in terms.option.bonus_dollars
        ),
    ]


def _meter(row: MeterRow) -> MeterShown:
    meter: Meter = row.meter
    return MeterShown(
        meter=meter.id,
        seq=meter.seq,
        epoch=meter.epoch,
        value_micros=meter.value_micros,
        royal_pays_micros=whole_dollars_up(meter.value_micros),
        at=_written(row.at),
        state=meter.state.value,
        training=meter.training,
        option=meter.terms.option_number,
        cost_cents=meter.terms.cost_cents,
        pays=pay_table(meter.terms),
    )


def _table(
    table: Table, row: FloorRow, failing: frozenset[Gate], notices: list[NoticeShown]
) -> TableShown:
    limits = table.limits
    return TableShown(
        table=table.id,
        game=table.game_key.value,
        meter=table.meter_id,
        state=table.state.value,
        seats=table.seats,
        registered=sorted(_registered(table, row.open_rounds.get(table.open_round_id or ""))),
        round=table.open_round_id or table.last_round_id,
        playing=table.open_round_id is not None,
        minimum_cents=None if limits is None else limits.minimum_cents,
        maximum_cents=None if limits is None else limits.maximum_cents,
        taking=_takes_wagers(table, failing),
        failing=sorted(gate.value for gate in failing),
        manual=table.manual,
        tournament=table.tournament,
        hands_left=table.hands_left,
        notices=notices,
    )


def _registered(table: Table, open_round: Round | None) -> Iterable[int]:
    """Who plays for the jackpot in this round; between rounds, whose wager stands for the next."""
    if open_round is not None:
        return open_round.in_state(SeatState.LIVE, SeatState.FOLDED)
    return () if table.carry is None else table.carry.stakes


def _takes_wagers(table: Table, failing: frozenset[Gate]) -> bool:
    """As far as the floor's own rows tell; the door decides each wager anew."""
    return (
        table.meter_id is not None
        and table.state is TableState.OPEN
        and table.hands_left != 0
        and not table.tournament
        and table.draining_for is None
        and (table.manual or not failing)
    )


def _notice(notice: Notice, table: Table, tables: list[str], readings: Readings) -> NoticeShown:
    waiting = notice.missing(tables) or not tables
    change = notice.change
    limits = change.limits if isinstance(change, RaiseMinimum) else None
    terms = change.terms[table.meter_id or ""] if isinstance(change, ChangeTerms) else None
    return NoticeShown(
        notice=notice.id,
        kind=_KINDS[type(change)],
        to=change.to_meter_id if isinstance(change, AddTable | TransferTable) else None,
        due=None if waiting else timestamp(notice.ready_at_us(tables, readings)),
        minimum_cents=None if limits is None else limits.minimum_cents,
        maximum_cents=None if limits is None else limits.maximum_cents,
        option=None if terms is None else terms.option_number,
        cost_cents=None if terms is None else terms.cost_cents,
    )


def _hit(row: HitRow, amounts_at_once: bool) -> HitShown:
    award: Award = row.award
    verified = award.state not in UNDECIDED
    return HitShown(
        hit=award.id,
        meter=award.meter_id,
        meter_seq=award.meter_seq,
        table=row.table_id,
        hand=award.hand.value,
        amount_micros=award.amount_micros if verified or amounts_at_once else None,
        verified=verified,
        at=_written(row.at),
    )


def _written(at: datetime) -> str:
    return timestamp(round(at.timestamp() * 1_000_000))
