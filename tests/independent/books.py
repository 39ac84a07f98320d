"""The books: a list of what happened, added up from its first line after every step.

Nothing is carried from one adding-up to the next. A meter is what it was reset to, plus the
percentage of every wager since that has not been returned, less prizes, plus what was put on top.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from tests.independent.hands import JACKPOT
from tests.independent.prizes import Result, Terms, settle

Event = tuple[Any, ...]

ACCOUNTS = (
    "wagers-taken",
    "refunds",
    "house-margin",
    "seed-funding",
    "prizes",
    "bonus-payouts",
    "transfers",
)


@dataclass
class Settlement:
    """A recorded outcome as it stands: corrections and decided orders included."""

    terms: Terms
    reseed: Decimal
    result: Result
    prizes: Decimal
    top_up: Decimal
    bonus: Decimal
    winners: dict[int, str]
    in_effect: bool = True
    put_right: bool = False

    @property
    def counted(self) -> tuple[int, int]:
        kinds = list(self.winners.values())
        return kinds.count(JACKPOT[0]), kinds.count(JACKPOT[1])

    @property
    def left(self) -> Decimal:
        """Where it leaves the meter."""
        return self.result.meter - self.prizes + self.top_up

    def give(self, paid: dict[int, Decimal]) -> None:
        """Each seat has what it is due, or was paid where that is more."""
        due = {seat: self.result.each(hand) for seat, hand in self.winners.items()}
        seats = {*paid, *due}
        self.prizes = sum(
            (max(paid.get(seat, Decimal()), due.get(seat, Decimal())) for seat in seats), Decimal()
        )
        left = self.result.meter - self.prizes
        reset = self.counted[0] > 1 or left < self.reseed
        self.top_up = self.reseed - left if reset else Decimal(0)

    def again(self, meter: Decimal) -> Result:
        return settle(self.terms, meter, *self.counted, self.reseed)


class Move(NamedTuple):
    """One step of a meter: a round settled, or an amount that moved it in any case."""

    round: str | None
    amount: Decimal
    reseed: Decimal


@dataclass
class Meter:
    terms: Terms
    start: Decimal
    opened: Decimal
    epoch: int = 1
    wagers: dict[str, Decimal] = field(default_factory=dict)
    prizes: dict[str, Decimal] = field(default_factory=dict)
    above: Decimal = Decimal(0)
    new_terms: bool = False
    closed: bool = False
    accounts: dict[str, Decimal] = field(default_factory=lambda: dict.fromkeys(ACCOUNTS, Decimal()))
    settled: dict[str, Settlement] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)

    @property
    def value(self) -> Decimal:
        contributed = sum(self.wagers.values(), Decimal())
        return self.start + contributed - sum(self.prizes.values(), Decimal()) + self.above

    @property
    def least(self) -> Decimal:
        """The sum of rule 9.3; with another seed it has lost its first term, and begins anew."""
        if self.new_terms:
            return self.terms.reseed
        contributed = sum(self.wagers.values(), Decimal())
        return self.terms.reseed + contributed - sum(self.prizes.values(), Decimal())

    def reset(self) -> None:
        self.accounts["seed-funding"] -= self.terms.reseed - self.value
        self.start, self.above = self.terms.reseed, Decimal(0)
        self.wagers, self.prizes, self.new_terms = {}, {}, False
        self.epoch += 1

    def guard(self) -> None:
        """Below seed x cost is reset; exactly at it is not below."""
        if self.value < self.terms.reseed:
            self.reset()

    def moved(self, amount: Decimal = Decimal(0), round_: str | None = None) -> None:
        self.moves.append(Move(round_, amount, self.terms.reseed))

    def in_turn(self) -> list[str]:
        """The rounds settled, in the order they count in."""
        return [move.round for move in self.moves if move.round is not None]


@dataclass
class Totals:
    meters: dict[str, Meter] = field(default_factory=dict)
    wagers: dict[str, Terms] = field(default_factory=dict)
    """Every wager ever taken, with the terms it was taken under."""
    returned: list[str] = field(default_factory=list)


class Books:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self._added_up = Totals()
        self._length = 0

    def write(self, *event: Any) -> None:
        self.events.append(event)

    def now(self) -> Totals:
        """Everything added up again from the first event, if any came since."""
        if self._length != len(self.events):
            self._added_up, self._length = add_up(self.events), len(self.events)
        return self._added_up

    def meter(self, system: str) -> Meter:
        return self.now().meters[system]

    def meter_after(self, *event: Any) -> Meter:
        """What a meter would be after one more event."""
        return add_up([*self.events, event]).meters[event[1]]


def add_up(events: list[Event]) -> Totals:
    totals = Totals()
    for kind, system, *rest in events:
        _ADD[kind](totals, system, *rest)
    return totals


def _opened(totals: Totals, system: str, terms: Terms, value: Decimal) -> None:
    meter = totals.meters[system] = Meter(terms, value, value)
    meter.accounts["seed-funding"] -= value


def _wagered(totals: Totals, system: str, wagers: list[str], terms: Terms) -> None:
    meter = totals.meters[system]
    for wager in wagers:
        totals.wagers[wager] = terms
        meter.wagers[wager] = terms.contribution
        meter.accounts["wagers-taken"] -= terms.cost
        meter.accounts["house-margin"] += terms.cost - terms.contribution
    meter.moved(len(wagers) * terms.contribution)


def _returned(totals: Totals, system: str, wagers: list[str]) -> None:
    """A contribution that a reset has paid away cannot be taken back: the house bears it."""
    meter = totals.meters[system]
    before = meter.value
    for wager in wagers:
        cost = totals.wagers[wager].cost
        still_on = meter.wagers.pop(wager, Decimal(0))
        meter.accounts["refunds"] += cost
        meter.accounts["house-margin"] -= cost - still_on
        totals.returned.append(wager)
    meter.moved(meter.value - before)
    meter.guard()


def _settled(
    totals: Totals,
    system: str,
    round_: str,
    terms: Terms,
    winners: dict[int, str],
    bonus: Decimal,
) -> None:
    meter = totals.meters[system]
    kinds = Counter(winners.values())
    counted = kinds[JACKPOT[0]], kinds[JACKPOT[1]]
    result = settle(terms, meter.value, *counted, meter.terms.reseed)
    meter.settled[round_] = Settlement(
        terms, meter.terms.reseed, result, result.paid, result.top_up, bonus, winners
    )
    meter.moved(round_=round_)
    meter.accounts["prizes"] += result.paid
    _pay_bonus(meter, bonus)
    meter.prizes[round_] = result.paid
    if result.reset:
        meter.reset()


def _pay_bonus(meter: Meter, bonus: Decimal) -> None:
    meter.accounts["bonus-payouts"] += bonus
    meter.accounts["house-margin"] -= bonus


def _bonus_corrected(totals: Totals, system: str, round_: str, bonus: Decimal) -> None:
    meter = totals.meters[system]
    settled = meter.settled[round_]
    _pay_bonus(meter, bonus - settled.bonus)
    settled.bonus = bonus


def _corrected(
    totals: Totals,
    system: str,
    round_: str,
    hands: dict[int, str],
    paid: dict[int, Decimal],
    bonus: Decimal,
    granted: Decimal,
) -> None:
    """Settled again at the original meter value; what is paid to a seat stays paid."""
    meter = totals.meters[system]
    settled = meter.settled[round_]
    settled.winners, settled.in_effect = hands, True
    settled.result = settled.again(settled.result.meter)
    before = settled.prizes, settled.top_up
    settled.give(paid)
    _put_right(meter, round_, before, bonus, granted)


def _voided(totals: Totals, system: str, round_: str, granted: Decimal) -> None:
    meter = totals.meters[system]
    settled = meter.settled[round_]
    before = settled.prizes, settled.top_up
    settled.in_effect, settled.prizes, settled.top_up = False, Decimal(0), Decimal(0)
    _put_right(meter, round_, before, Decimal(0), granted)


def _put_right(
    meter: Meter,
    round_: str,
    before: tuple[Decimal, Decimal],
    bonus: Decimal,
    granted: Decimal,
) -> None:
    """The difference goes on or off the meter, and back goes what was granted and is not right."""
    settled = meter.settled[round_]
    settled.put_right = True
    prizes, top_up = before
    difference = (prizes - top_up) - (settled.prizes - settled.top_up)
    meter.accounts["prizes"] += settled.prizes - prizes - granted
    meter.accounts["seed-funding"] -= settled.top_up - top_up
    _pay_bonus(meter, bonus - settled.bonus)
    settled.bonus = bonus
    back = difference + granted
    if back > 0 and round_ not in meter.prizes:
        meter.above += back
    else:
        meter.prizes[round_] = meter.prizes.get(round_, Decimal(0)) - back
    meter.guard()


def _order_decided(
    totals: Totals,
    system: str,
    order: tuple[str, ...],
    paid: dict[str, dict[int, Decimal]],
    granted: Decimal,
) -> None:
    """Each is settled just before the first one that it must precede; what is paid stays paid.

    The meter moves by what they all move differently; whatever lay between them stays as it was,
    resets included: nobody wins off a meter that is below its seed.
    """
    meter = totals.meters[system]
    recorded = [name for name in meter.in_turn() if name in order]
    settled = {name: meter.settled[name] for name in recorded}
    before = {name: (held.result.meter, held.left) for name, held in settled.items()}
    paid_before = sum((held.prizes for held in settled.values()), Decimal())
    waiting = list(order)
    shift = Decimal()
    for place, name in enumerate(recorded):
        start, end = before[name]
        value, owing = start + shift, Decimal()
        if value < settled[name].reseed:
            value, owing = start, shift
        last = max(
            (waiting.index(one) for one in recorded[: place + 1] if one in waiting), default=-1
        )
        for one in waiting[: last + 1]:
            settled[one].result = settled[one].again(value)
            settled[one].give(paid[one])
            value = settled[one].left
        del waiting[: last + 1]
        shift = value - end + owing
    for held in settled.values():
        held.put_right = True
    more = sum((held.prizes for held in settled.values()), Decimal()) - paid_before
    meter.accounts["prizes"] += more - granted
    meter.accounts["seed-funding"] -= shift + more
    meter.prizes["order of " + " and ".join(order)] = -shift - granted
    _take_turns(meter, order)
    meter.guard()


def _take_turns(meter: Meter, order: tuple[str, ...]) -> None:
    """From the last to the first: none counts later than the one that it precedes."""
    named = {move.round: move for move in meter.moves if move.round in order}
    turn = {id(move): (place, 0) for place, move in enumerate(meter.moves)}
    latest = len(meter.moves)
    for rank, name in reversed(list(enumerate(order))):
        latest = min(latest, turn[id(named[name])][0])
        turn[id(named[name])] = (latest, rank - len(order))
    meter.moves.sort(key=lambda move: turn[id(move)])


Winner = tuple[str, int]
"""A round and a seat."""


def would_have_won(meter: Meter, kept: dict[Winner, Decimal]) -> dict[Winner, Decimal]:
    """Every prize, had all outcomes been right from the first, and in their right order.

    What a winner keeps in any case has gone from the meter, even where it was too much.
    """
    value = meter.opened
    won: dict[Winner, Decimal] = {}
    for move in meter.moves:
        if move.round is None:
            value = max(value + move.amount, move.reseed)
            continue
        settled = meter.settled[move.round]
        if not settled.in_effect:
            continue
        if not settled.winners and not any(round_ == move.round for round_, _ in kept):
            value = max(value, settled.reseed)
            continue
        result = settled.again(value)
        here = {(move.round, seat): result.each(hand) for seat, hand in settled.winners.items()}
        gone = dict(here)
        for winner, amount in kept.items():
            if winner[0] == move.round:
                gone[winner] = max(amount, here.get(winner, amount))
        value -= sum(gone.values(), Decimal())
        if value < settled.reseed or settled.counted[0] > 1:
            value = settled.reseed
        won |= here
    return won


def _granted(totals: Totals, system: str, award: str, amount: Decimal) -> None:
    meter = totals.meters[system]
    meter.accounts["prizes"] += amount
    meter.prizes[award] = meter.prizes.get(award, Decimal(0)) + amount
    meter.guard()


def _extra(totals: Totals, system: str, amount: Decimal) -> None:
    meter = totals.meters[system]
    meter.above += amount
    meter.accounts["seed-funding"] -= amount
    meter.moved(amount)


def _closed(totals: Totals, system: str, shares: dict[str, int]) -> None:
    """Exactly meter - seed x cost goes on; what cannot be shared goes to the first by name."""
    meter = totals.meters[system]
    surplus = meter.value - meter.terms.reseed
    parts = {
        target: (surplus * share / 10_000).quantize(Decimal("0.000001"), "ROUND_FLOOR")
        for target, share in sorted(shares.items())
    }
    if parts:
        parts[min(parts)] += surplus - sum(parts.values())
    for target, part in parts.items():
        totals.meters[target].above += part
        totals.meters[target].accounts["transfers"] -= part
        totals.meters[target].moved(part)
        meter.accounts["transfers"] += part
    meter.accounts["seed-funding"] += meter.terms.reseed
    meter.start, meter.above, meter.wagers, meter.prizes = Decimal(0), Decimal(0), {}, {}
    meter.epoch += 1
    meter.closed = True


def _new_terms(totals: Totals, system: str, terms: Terms) -> None:
    meter = totals.meters[system]
    meter.new_terms = meter.new_terms or terms.reseed != meter.terms.reseed
    meter.terms = terms
    raised = max(terms.reseed - meter.value, Decimal(0))
    meter.above += raised
    meter.accounts["seed-funding"] -= raised
    meter.moved()


_ADD: dict[str, Callable[..., None]] = {
    "opened": _opened,
    "wagered": _wagered,
    "returned": _returned,
    "settled": _settled,
    "bonus corrected": _bonus_corrected,
    "corrected": _corrected,
    "voided": _voided,
    "order decided": _order_decided,
    "granted": _granted,
    "extra": _extra,
    "closed": _closed,
    "new terms": _new_terms,
}
