"""Holds the product's floor against the second model, and its journal against itself."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from itertools import pairwise

from meter_server.domain.awards import AwardState, LaterPrize
from meter_server.domain.entries import Account, Entry, EntryKind
from meter_server.domain.floor import Floor
from meter_server.domain.meter import Meter, MeterState
from meter_server.domain.tables import TableState
from tests.independent import books, state
from tests.independent.books import ACCOUNTS

Accounts = Mapping[str, Counter[Account]]
History = Mapping[str, tuple[Entry, ...]]


def compare(product: Floor, model: state.Floor, history_before: History) -> None:
    """Everything that both know must be the same, to the millionth."""
    accounts = {name: _accounts(entries) for name, entries in product.history.items()}
    _same_meters(product, model, accounts)
    _same_tables(product, model)
    _same_rounds(product, model)
    _same_awards(product, model)
    _each_wager_counts_once(product, model)
    _money_stays(product, accounts)
    for meter_id, entries in product.history.items():
        before = history_before.get(meter_id, ())
        assert entries[: len(before)] == before, f"the history of {meter_id} was rewritten"
        _journal_holds(entries, product.meters[meter_id])


def same_differences(found: tuple[LaterPrize, ...], model: state.Floor) -> None:
    """After a correction, the prizes that would have been others."""
    assert {prize.award_id: (prize.won_micros, prize.due_micros) for prize in found} == {
        f"{round_}/{seat}": (micros(has), micros(right))
        for (round_, seat), (has, right) in model.differing.items()
    }


def micros(dollars: Decimal) -> int:
    scaled = dollars * 1_000_000
    assert scaled == scaled.to_integral_value(), f"{dollars} is no whole number of millionths"
    return int(scaled)


def _same_meters(product: Floor, model: state.Floor, accounts: Accounts) -> None:
    expected = model.meters()
    assert product.meters.keys() == expected.keys()
    for meter_id, meter in product.meters.items():
        other = expected[meter_id]
        assert meter.value_micros == micros(other.value), (
            f"{meter_id}: {meter.value_micros} but by the rules {micros(other.value)}"
        )
        assert meter.epoch == other.epoch, f"{meter_id}: resets counted differently"
        assert (meter.state is MeterState.CLOSED) == other.closed
        _same_books(accounts[meter_id], meter_id, other)
        if not other.closed:
            assert meter.terms.reseed_micros == micros(other.terms.reseed)
            assert meter.value_micros >= micros(other.terms.reseed), f"{meter_id} below its seed"
            assert meter.value_micros >= micros(other.least), f"{meter_id} below rule 9.3"


def _same_books(accounts: Counter[Account], meter_id: str, expected: books.Meter) -> None:
    found = {name: accounts[Account(name)] for name in ACCOUNTS}
    wanted = {account: micros(dollars) for account, dollars in expected.accounts.items()}
    assert found == wanted, f"{meter_id}: books {found} but by the rules {wanted}"


def _same_tables(product: Floor, model: state.Floor) -> None:
    assert product.tables.keys() == model.tables.keys()
    for name, table in product.tables.items():
        other = model.tables[name]
        standing = {} if table.carry is None else table.carry.stakes
        assert table.limits is not None
        assert (
            (table.limits.minimum_cents, table.limits.maximum_cents),
            table.meter_id,
            table.state is TableState.OPEN,
            table.hands_left,
            table.open_round_id,
            table.draining_for,
            set(standing),
        ) == (
            other.bets,
            other.system,
            other.open,
            other.hands_left,
            other.playing,
            other.draining,
            set(other.standing),
        ), name


def _same_rounds(product: Floor, model: state.Floor) -> None:
    assert product.rounds.keys() == model.rounds.keys()
    for name, round_ in product.rounds.items():
        other = model.rounds[name]
        assert round_.state.value == other.state, name
        seats = {
            seat: (held.state.value, held.hand and held.hand.value)
            for seat, held in round_.seats.items()
        }
        assert seats == {seat: (held.state, held.hand) for seat, held in other.places.items()}, name
        if round_.settled is None:
            continue
        settled = model.meter(other.system).settled[name]
        statement = round_.settled.statement
        assert (
            statement.meter_micros,
            statement.paid_micros,
            statement.meter_after_micros,
            statement.reset,
            round_.settled.prizes_micros,
            round_.settled.top_up_micros,
            sum(round_.settled.bonus_micros.values()),
        ) == (
            micros(settled.result.meter),
            micros(settled.result.paid),
            micros(settled.result.after),
            settled.result.reset,
            micros(settled.prizes),
            micros(settled.top_up),
            micros(settled.bonus),
        ), f"the settlement of {name}"


def _same_awards(product: Floor, model: state.Floor) -> None:
    assert product.awards.keys() == model.awards.keys()
    for key, award in product.awards.items():
        other = model.awards[key]
        assert award.state.value == other.state, f"{key} is {award.state}, not {other.state}"
        assert set(award.contested_with) == other.contested, f"the order of {key}"
        if award.state is not AwardState.VOIDED:
            assert award.amount_micros == micros(other.amount), key


def _each_wager_counts_once(product: Floor, model: state.Floor) -> None:
    """Every wager the model knows is credited by one entry; returned by one, or by none."""
    credited: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    for entries in product.history.values():
        for entry in entries:
            seats = entry.detail.get("seats", ())
            assert isinstance(seats, list | tuple)
            if entry.kind is EntryKind.CREDIT:
                credited.update(f"{entry.round_id} seat {seat}" for seat in seats)
            elif entry.kind is EntryKind.REVERSAL:
                returned.update(str(seat) for seat in seats)
    totals = model.books.now()
    assert credited == Counter(wager.rpartition(" no ")[0] for wager in totals.wagers)
    seats_back = (wager.rpartition(" no ")[0].rpartition(" ")[2] for wager in totals.returned)
    assert returned == Counter(seats_back)
    assert len(set(totals.returned)) == len(totals.returned), "a wager was returned twice"


def _money_stays(product: Floor, accounts: Accounts) -> None:
    """All accounts together hold nothing, and what was won is what the standing prizes are."""
    kept: Counter[Account] = Counter()
    for each in accounts.values():
        kept.update(each)
    assert sum(kept.values()) == 0, "money came from nowhere"
    assert kept[Account.TRANSFERS] == 0, "a transfer lost or made money"
    standing = sum(
        award.amount_micros
        for award in product.awards.values()
        if award.state is not AwardState.VOIDED
    )
    assert kept[Account.PRIZES] == standing, "the journal's prizes are not the awards'"


def _accounts(entries: tuple[Entry, ...]) -> Counter[Account]:
    found: Counter[Account] = Counter()
    for entry in entries:
        for account, amount in entry.lines:
            found[account] += amount
    return found


def _journal_holds(entries: tuple[Entry, ...], meter: Meter) -> None:
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1)), "a gap in seq"
    assert entries[0].before_micros == 0
    assert entries[-1].after_micros == meter.value_micros
    for entry in entries:
        assert sum(amount for _, amount in entry.lines) == 0, f"entry {entry.seq} does not balance"
        assert entry.before_micros + entry.amount_micros == entry.after_micros
    for one, following in pairwise(entries):
        assert following.before_micros == one.after_micros, "the chain of values is broken"
        assert following.epoch - one.epoch in (0, 1), "an epoch shrank or was skipped"
