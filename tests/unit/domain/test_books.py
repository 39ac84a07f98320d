"""After every command of every scenario the books are whole: typed, documented, in agreement."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, ForwardRef, Union, get_args, get_origin, get_type_hints

import pytest

from meter_server.domain.awards import Award, AwardState
from meter_server.domain.commands import Command, DecideOrder
from meter_server.domain.entries import Entry, EntryKind, canonical_json
from meter_server.domain.floor import Floor
from meter_server.domain.meter import Meter
from meter_server.domain.people import Context
from meter_server.domain.rounds import Round, RoundState
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.statements import statement_json
from meter_server.domain.tables import TableState
from tests.rules import rule
from tests.scenarios.house import Answer, Core
from tests.scenarios.language import Scenario, all_scenarios
from tests.scenarios.runner import play

OUTCOME = {"bonus", "cards", "cautions", "folded", "hands", "seats", "shared_cards", "statement"}
CREDIT = {"carried", "cost_cents", "rate_bp", "seats"}
REVERSAL = {"case", "reason", "reregistered", "returned", "rule", "seats", "spent", "stakes"}
TERMS = {"cost_cents", "option", "rate_bp", "seed"}

# As the protocol page tells them.
DETAILS = {
    EntryKind.OPENING: [TERMS | {"reference", "tables", "training"}],
    EntryKind.CREDIT: [
        CREDIT,
        CREDIT | {"paper"},
        CREDIT | {"reason"},  # admitted by a ruling
        CREDIT | {"case", "reason", "rule"},
        CREDIT | {"case", "paper", "reason", "rule"},
    ],
    EntryKind.REVERSAL: [REVERSAL, REVERSAL | {"paper"}],
    EntryKind.SETTLEMENT: [OUTCOME, OUTCOME | {"case"}, OUTCOME | {"paper"}],
    EntryKind.PRIZE: [
        {"award", "hand", "seat"},
        {"award", "corrected_round", "hand", "seat", "top_up_of"},
    ],
    EntryKind.RESET: [{"to"}],
    EntryKind.EXTRA: [{"reason"}],
    EntryKind.TRANSFER_OUT: [{"notice", "to"}],
    EntryKind.TRANSFER_IN: [{"from", "notice"}],
    EntryKind.CHANGE: [{"from", "notice", "to"}],
    EntryKind.CLOSING: [{"notice", "shares"}],
}
CORRECTIONS = {
    "bonus": {"bonus", "hands", "what"},
    "settlement": OUTCOME | {"paid", "reason", "taken_back", "what"},
    "void": {"reason", "taken_back", "what"},
    "order": {"decided_by", "order", "reason", "statements", "what", "taken_back"},
}
ON_WAGERS = {"case", "reason", "rule", "seats", "what"}
ON_A_PRIZE = {"amount", "award", "what"}
RULINGS = {
    "played-on": ON_WAGERS,
    "carried": ON_WAGERS,
    "forfeited": ON_WAGERS,
    "determined": ON_A_PRIZE | {"meter_seq"},
    "withheld": ON_A_PRIZE | {"reason"},
    "paid": ON_A_PRIZE | {"method", "reference"},
    "order-stands": {"order", "reason", "what"},
}
LISTS = {
    *("bonus", "cards", "carried", "cautions", "folded", "hands", "order", "paid", "reregistered"),
    *("returned", "seats", "shares", "spent", "stakes", "statements", "tables", "taken_back"),
}
DECLARED_BY_NOBODY = {"cost-changed", "no-ante-next-round", "table-closed", "terms-changed"}
OF_A_ROUND_OR_SEVERAL = {EntryKind.RESET, EntryKind.CORRECTION, EntryKind.RULING}
OF_A_ROUND = {EntryKind.CREDIT, EntryKind.REVERSAL, EntryKind.SETTLEMENT, EntryKind.PRIZE}


class Inspected(Core):
    """The core, with a look into its books after every command."""

    def submit(self, command: Command, context: Context) -> Answer:
        before = self.books()
        answer = super().submit(command, context)
        books = self.books()
        for entry in answer.entries:
            _look_at_types(entry, Entry)
            _look_at_entry(entry, command, books)
        _look_at_types(replace(books, history={}), Floor)
        for award in books.awards.values():
            _look_at_award(award)
        for round_ in books.rounds.values():
            _look_at_round(round_, books)
        for table in books.tables.values():
            if table.state is TableState.CLOSED:
                assert (table.hands_left, table.carry) == (None, None)
            assert table.carry is None or table.carry.stakes
        for meter_id, meter in before.meters.items():
            _look_at_turnover(meter, books.meters[meter_id], answer.entries)
        return answer


@rule("MET-6", "AUD-1")
@pytest.mark.parametrize("scenario", all_scenarios(), ids=lambda scenario: scenario.name)
def test_the_books_are_whole_after_every_command(scenario: Scenario) -> None:
    play(scenario, Inspected())


_hints = cache(get_type_hints)


def _look_at_types(value: Any, hint: Any) -> None:
    """Every value is what its field says, all the way down."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        kinds = [part for part in parts if isinstance(value, get_origin(part) or part)]
        assert kinds, f"{value!r} is none of {parts}"
        _look_at_types(value, kinds[0])
    elif isinstance(hint, type) and is_dataclass(hint):
        assert isinstance(value, hint), f"{value!r} is no {hint}"
        hints = _hints(type(value))
        for field in fields(value):
            _look_at_types(getattr(value, field.name), hints[field.name])
    elif isinstance(hint, ForwardRef):
        canonical_json(value)  # JSON inside JSON.
    elif origin is None:
        assert isinstance(value, hint), f"{value!r} is no {hint}"
    elif issubclass(origin, Mapping):
        for key, held in value.items():
            _look_at_types(key, parts[0])
            _look_at_types(held, parts[1])
    elif origin is tuple and parts[-1] is not Ellipsis:
        assert len(value) == len(parts)
        for held, part in zip(value, parts, strict=True):
            _look_at_types(held, part)
    else:
        assert isinstance(value, origin), f"{value!r} is no {hint}"
        for held in value:
            _look_at_types(held, parts[0])


def _look_at_entry(entry: Entry, command: Command, books: Floor) -> None:
    detail = entry.detail
    if entry.kind is EntryKind.CORRECTION:
        assert set(detail) == CORRECTIONS[str(detail["what"])]
    elif entry.kind is EntryKind.RULING:
        _look_at_ruling(entry, books)
    else:
        assert set(detail) in DETAILS[entry.kind]
    assert all(isinstance(detail[name], list) for name in LISTS & set(detail))
    of_several = isinstance(command, DecideOrder)
    if entry.kind in OF_A_ROUND or (entry.kind in OF_A_ROUND_OR_SEVERAL and not of_several):
        assert entry.round_id is not None
        assert entry.table_id == books.rounds[entry.round_id].table_id
    else:
        assert (entry.table_id, entry.round_id) == (None, None)
    if entry.kind is EntryKind.CHANGE:
        assert len(entry.lines) == (2 if entry.amount_micros else 1)
    if "reason" in detail:
        assert detail["reason"] == getattr(command, "reason", "")
    if "paper" in detail:
        assert detail["paper"] == getattr(command, "paper", None)
        assert detail["paper"]
    if "case" in detail:
        assert detail["case"] in CASES or detail["case"] in DECLARED_BY_NOBODY
    if "rule" in detail:
        assert detail["rule"] == entry.rule or entry.kind is EntryKind.CREDIT


def _look_at_ruling(entry: Entry, books: Floor) -> None:
    """It moves nothing, and says of a prize what the books say of it."""
    detail = entry.detail
    on_wagers = RULINGS[str(detail["what"])] is ON_WAGERS
    told_on_paper = {"paper"} if on_wagers else set[str]()
    assert set(detail) - told_on_paper == RULINGS[str(detail["what"])]
    assert (entry.amount_micros, len(entry.lines)) == (0, 1)
    if "award" in detail:
        award = books.awards[str(detail["award"])]
        assert (award.state.value, award.round_id) == (detail["what"], entry.round_id)
        assert award.amount_micros == detail["amount"]
        assert detail.get("meter_seq", award.meter_seq) == award.meter_seq
        paid = f"{detail.get('method')} {detail.get('reference')}"
        assert award.payment in (None, paid)


def _look_at_turnover(before: Meter, after: Meter, entries: tuple[Entry, ...]) -> None:
    """Wagers taken less wagers given back, of this epoch alone (A-56)."""
    if (before.epoch, before.base_micros) != (after.epoch, after.base_micros):
        return
    moved = 0
    for entry in entries:
        detail: Any = entry.detail
        if entry.meter_id == after.id and entry.kind is EntryKind.CREDIT:
            moved += len(detail["seats"]) * detail["cost_cents"] * 10_000
        if entry.meter_id == after.id and entry.kind is EntryKind.REVERSAL:
            moved -= sum(cost for _, cost, _, epoch in detail["stakes"] if epoch == after.epoch)
    assert after.sums.turnover - before.sums.turnover == moved


def _look_at_award(award: Award) -> None:
    decided = award.state in (AwardState.DETERMINED, AwardState.PAID)
    assert not decided or award.determined_by is not None
    assert decided or award.tops_up is None or award.determined_by is None
    assert award.state is not AwardState.WITHHELD or award.determined_by is None
    assert (award.payment is not None) == (award.state is AwardState.PAID)
    assert award.amount_micros > 0


def _look_at_round(round_: Round, books: Floor) -> None:
    """A settlement in effect holds what its prizes hold, and left the meter its seed."""
    settled = round_.settled
    assert (settled is not None) or round_.state is not RoundState.SETTLED
    if settled is None:
        return
    if settled.voided:
        nothing = (settled.prizes_micros, settled.top_up_micros, settled.bonus_micros)
        assert nothing == (0, 0, {})
        return
    told, bonus = _last_told(round_.id, books.history[round_.meter_id])
    assert statement_json(settled.statement) == told
    assert sorted(settled.bonus_micros.items()) == sorted(map(tuple, bonus))
    own = [award for award in books.awards.values() if award.round_id == round_.id]
    assert settled.prizes_micros == sum(
        award.amount_micros
        for award in own
        if award.tops_up is None and award.state is not AwardState.VOIDED
    )
    statement = settled.statement
    rest = statement.meter_micros - settled.prizes_micros
    due = statement.royals > 1 or rest < statement.reset_to_micros
    assert settled.top_up_micros == (statement.reset_to_micros - rest if due else 0)


def _last_told(round_id: str, history: tuple[Entry, ...]) -> tuple[Any, Any]:
    """The statement and the bonus payouts that the journal last told of a round."""
    statement: Any = None
    bonus: Any = None
    for entry in history:
        detail: Any = entry.detail
        if entry.round_id == round_id:
            statement = detail.get("statement", statement)
            bonus = detail.get("bonus", bonus)
        if "statements" in detail and round_id in detail["order"]:
            statement = detail["statements"][detail["order"].index(round_id)]
    return statement, bonus
