"""Prizes, and everything that a TG Assistant Casino Manager looks at before deciding about one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meter_server.domain.awards import Award, AwardState
from meter_server.domain.deciding import orders
from meter_server.domain.entries import EntryKind
from meter_server.domain.floor import Draft, Floor
from meter_server.domain.replay import in_order
from meter_server.domain.rounds import Round, Settled
from meter_server.domain.settlement import Statement
from meter_server.storage import prizes
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.prizes import PlaceRow, PrizeRow, Written
from meter_server.storage.rows import Needs

_NEIGHBOURS = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What each prize would be, had the contested rounds been recorded in this order (A-38)."""

    rounds: tuple[str, ...]
    amounts_micros: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Orders:
    recorded: Order
    by_the_tables_clocks: Order


@dataclass(frozen=True, slots=True)
class PrizeFile:
    """A prize with all that speaks for and against it."""

    row: PrizeRow
    statement: Statement
    own_cards: str
    shared_cards: str
    places: Sequence[PlaceRow]
    """The settlements with prizes around it, in the one order of the meter (SET-4)."""
    orders: Orders | None
    """Both ways, where its order is contested."""
    story: Sequence[Written]
    """Rulings about it and corrections of its round, oldest first."""


def page(database: Database, **wanted: Any) -> list[PrizeRow]:
    with database.connection() as connection:
        return prizes.page(connection, **wanted)


def find(database: Database, prize_id: str) -> PrizeRow | None:
    return next(iter(page(database, only=prize_id)), None)


def file_of(database: Database, prize_id: str) -> PrizeFile | None:
    row = find(database, prize_id)
    if row is None:
        return None
    award = row.award
    floor = _floor(database, award)
    with database.connection() as connection:
        written = prizes.entries_of_round(connection, award.round_id)
        places = prizes.around(connection, award.meter_id, award.meter_seq, _NEIGHBOURS)
    outcome = _outcome(written)
    return PrizeFile(
        row=row,
        statement=_settled(floor.rounds[award.round_id]).statement,
        own_cards=dict(outcome["cards"]).get(award.seat, ""),
        shared_cards=outcome["shared_cards"],
        places=places,
        orders=_orders(floor, award) if award.contested_with else None,
        story=[one for one in written if _tells_of(one.body, award)],
    )


def _floor(database: Database, award: Award) -> Floor:
    """The prize's round and all rounds that contest their order with it."""
    rounds, store = frozenset({award.round_id}), PostgresFloor(database)
    floor = store.load(Needs(rounds=rounds, contested_rounds=rounds)).floor
    if not award.contested_with:
        return floor
    rounds = frozenset(orders.contesting(Draft(floor), award.round_id))
    needs = Needs(rounds=rounds, contested_rounds=rounds, history_of_rounds=rounds)
    return store.load(needs).floor


def _orders(floor: Floor, award: Award) -> Orders:
    draft = Draft(floor)
    found = [floor.rounds[round_id] for round_id in orders.contesting(draft, award.round_id)]
    counted = orders.as_they_count(draft, found)
    by_clock = sorted(counted, key=lambda round_: _settled(round_).agent_at_us or 0)
    return Orders(
        _order(floor, counted, [round_.id for round_ in counted]),
        _order(floor, counted, [round_.id for round_ in by_clock]),
    )


def _order(floor: Floor, counted: Sequence[Round], order: Sequence[str]) -> Order:
    draft = Draft(floor)
    counting = {round_.id: orders.counting(draft, round_) for round_ in counted}
    statements = in_order(counting, order).statements
    amounts: dict[str, int] = {}
    for award in floor.awards.values():
        if award.round_id in statements and award.tops_up is None and _stands(award):
            due = statements[award.round_id].paid_each(award.hand)
            paid = counting[award.round_id].paid.get(award.seat, 0)
            is_paid = award.state is AwardState.PAID
            amounts[award.id] = award.amount_micros if is_paid else max(due - paid, 0)
    return Order(tuple(order), dict(sorted(amounts.items())))


def _stands(award: Award) -> bool:
    return award.state is not AwardState.VOIDED


def _settled(round_: Round) -> Settled:
    assert round_.settled is not None  # noqa: S101 - a prize comes from a settled round.
    return round_.settled


def _outcome(written: Sequence[Written]) -> dict[str, Any]:
    """The cards as they were recorded, or as they were last put right."""
    details: list[dict[str, Any]] = [one.body["detail"] for one in written]
    return [detail for detail in details if "shared_cards" in detail][-1]


def _tells_of(body: Mapping[str, Any], award: Award) -> bool:
    if body["kind"] == EntryKind.RULING:
        return bool(body["detail"].get("award") == award.id)
    return body["kind"] in (EntryKind.CORRECTION, EntryKind.SETTLEMENT)
