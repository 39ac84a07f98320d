"""The table as the dealer lives it: what the server last told, and what was said since.

Nothing here is remembered: the state is worked out from the server's word and the outbox, so it is
the same after a restart. What is queued counts as done until the server says otherwise.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from pokerkit import Card

from meter_server.contract.device.link import Json
from meter_server.contract.messages import (
    CloseTable,
    CorrectBonus,
    DeclareIrregularity,
    HandReport,
    Message,
    OpenTable,
    RecordOutcome,
    RegisterWagers,
    ReportGates,
)
from meter_server.contract.tables import PrizeTold, RoundTold, TableTold, TermsTold
from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.deciding.outcomes import Reading, read_hands
from meter_server.domain.hands import Hand
from meter_server.domain.money import round_up
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Refused
from meter_server.domain.rulebook.authority import LADDER
from meter_server.domain.rulebook.games import GAMES, Game, GameKey
from meter_server.domain.rulebook.irregularities import CASES, Effect
from meter_server.domain.rulebook.readings import Readings, readings_from_label
from meter_server.domain.rulebook.terms import Terms
from table_agent.outbox import Item

ANYBODY = Person("anybody", LADDER[-1])
"""Stands behind what is only looked at: whose rank is missing is told apart from what is wrong."""

METER_HANDS = frozenset({Hand.ROYAL_FLUSH, Hand.STRAIGHT_FLUSH})


class Ended(StrEnum):
    SETTLED = "settled"
    CARRIED = "carried"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class OpenRound:
    id: str
    seats: frozenset[int]
    """Whose wagers can win."""
    terms: Terms
    recorded: bool
    """Whether the server has answered: until then no card is dealt."""


@dataclass(frozen=True, slots=True)
class LastRound:
    id: str
    ended: Ended
    seats: frozenset[int]
    terms: Terms
    recorded: bool
    hands: Mapping[int, Hand] = field(default_factory=dict)
    bonus_micros: Mapping[int, int] = field(default_factory=dict)
    prizes: tuple[PrizeTold, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    told: TableTold
    open: bool
    open_round: OpenRound | None
    last_round: LastRound | None
    carried: frozenset[int]
    carried_whole: bool
    queued: int = 0
    """Messages that the server has not answered."""

    @property
    def game(self) -> Game:
        return GAMES[GameKey(self.told.game)]

    @property
    def terms(self) -> Terms | None:
        return None if self.told.meter is None else terms_of(self.told.meter.terms)

    @property
    def readings(self) -> Readings:
        return readings_from_label(self.told.readings)

    @property
    def place(self) -> str:
        """Where in its life the table is: what was tapped for another place is not meant here."""
        if self.open_round is not None:
            return self.open_round.id
        after = "the beginning" if self.last_round is None else self.last_round.id
        return f"after {after}"

    @property
    def proposal(self) -> frozenset[int]:
        """The seats that are lit before anybody touches one: whoever has chips there already, else
        those of the last round."""
        if self.carried_whole or self.last_round is None:
            return self.carried
        return self.carried | self.last_round.seats


def table(told: TableTold, items: Iterable[Item]) -> Table:
    """What the server told, then whatever it did not know yet, in order."""
    now = _begin(told)
    for item in items:
        if item.number > told.last_number and not is_refused(item.answer):
            now = _apply(now, Message.model_validate(item.message), item.answer)
    return now


def is_refused(answer: Json | None) -> bool:
    return answer is not None and answer["answer"] == "refused"


def terms_of(told: TermsTold) -> Terms:
    return Terms(told.option, told.seed_dollars, told.cost_cents)


def bonus_of(terms: Terms, hands: Mapping[int, Hand], readings: Readings) -> dict[int, int]:
    """Payable at once: bonus payouts do not depend on the meter (BON-1, BON-2)."""
    unit = readings.payable_unit_micros
    paid = {seat: round_up(terms.bonus_micros(hand), unit) for seat, hand in hands.items()}
    return {seat: micros for seat, micros in sorted(paid.items()) if micros}


def read(
    game: Game, eligible: frozenset[int], reports: Iterable[HandReport], shared_cards: str
) -> Reading:
    """What the hands amount to by the rules; Refused says what is wrong with them."""
    hands = {
        one.seat: commands.HandReport(
            None if one.hand is None else Hand(one.hand), _cards(one.cards), one.folded
        )
        for one in reports
    }
    return read_hands(game, eligible, hands, _cards(shared_cards), Context(0, ANYBODY))


def _cards(written: str) -> tuple[Card, ...]:
    return parse_cards(written) if written else ()


def _begin(told: TableTold) -> Table:
    opened = told.open_round
    return Table(
        told=told,
        open=told.open,
        open_round=None
        if opened is None
        else OpenRound(opened.round, _seats(opened, "live"), terms_of(opened.terms), recorded=True),
        last_round=_last(told.last_round),
        carried=frozenset() if told.carry is None else frozenset(told.carry.seats),
        carried_whole=told.carry is not None and told.carry.whole,
    )


def _seats(told: RoundTold, *states: str) -> frozenset[int]:
    return frozenset(one.seat for one in told.seats if one.state in states)


def _seats_of_last(told: RoundTold) -> frozenset[int]:
    """Who was in it to the end: a seat that is proposed again must not change when we are told."""
    if told.state == "settled":
        return _seats(told, "live", "folded")
    return frozenset(one.seat for one in told.seats)


def _last(told: RoundTold | None) -> LastRound | None:
    if told is None or told.state == "registered":
        return None
    return LastRound(
        id=told.round,
        ended=Ended(told.state),
        seats=_seats_of_last(told),
        terms=terms_of(told.terms),
        recorded=True,
        hands={one.seat: Hand(one.hand) for one in told.seats if one.hand is not None},
        bonus_micros=dict(told.bonus),
        prizes=tuple(told.prizes),
    )


def _apply(now: Table, message: Message, answer: Json | None) -> Table:
    now = replace(now, queued=now.queued + (answer is None))
    match message.command:
        case RegisterWagers() as command:
            return _registered(now, command, answer)
        case RecordOutcome() as command:
            return _recorded(now, command, answer)
        case DeclareIrregularity() as command:
            return _declared(now, command, answer)
        case CorrectBonus() as command:
            return _corrected(now, command, answer)
        case OpenTable():
            return replace(now, open=True)
        case CloseTable() as command:
            return replace(now, open=now.open and command.players_present)
        case ReportGates():
            return now


def _registered(now: Table, command: RegisterWagers, answer: Json | None) -> Table:
    if now.terms is None:
        return now
    terms = replace(now.terms, cost_cents=command.cost_cents)
    opened = OpenRound(command.round, frozenset(command.seats), terms, answer is not None)
    if now.carried != opened.seats:
        now = _carry_cancelled(now)
    return replace(now, open_round=opened, carried=frozenset(), carried_whole=False)


def _recorded(now: Table, command: RecordOutcome, answer: Json | None) -> Table:
    opened = now.open_round
    if opened is None:
        return now
    try:
        reading = read(now.game, opened.seats, command.hands, command.shared_cards)
    except Refused:  # typed by hand: the server will refuse it too, and the round goes on
        return now
    last = LastRound(
        id=opened.id,
        ended=Ended.SETTLED,
        seats=opened.seats,
        terms=opened.terms,
        recorded=answer is not None,
        hands=reading.hands,
        bonus_micros=bonus_of(opened.terms, reading.hands, now.readings),
        prizes=_prizes(answer),
    )
    return replace(now, open_round=None, last_round=last)


def _prizes(answer: Json | None) -> tuple[PrizeTold, ...]:
    return tuple(
        PrizeTold(
            prize=one["id"],
            seat=one["seat"],
            hand=one["hand"],
            amount_micros=one["amount"],
            state=one["state"],
            contested=bool(one["contested_with"]),
        )
        for one in ([] if answer is None else answer["prizes"])
    )


def _corrected(now: Table, command: CorrectBonus, answer: Json | None) -> Table:
    last = now.last_round
    if last is None:
        return now
    corrected = {one.seat: one.hand for one in command.hands}
    hands = {
        seat: hand
        for seat in sorted(last.seats)
        if (hand := _hand(corrected, last.hands, seat)) is not None
    }
    bonus = bonus_of(last.terms, hands, now.readings)
    changed = replace(last, hands=hands, bonus_micros=bonus, recorded=answer is not None)
    return replace(now, last_round=changed)


def _hand(
    corrected: Mapping[int, str | None], before: Mapping[int, Hand], seat: int
) -> Hand | None:
    if seat not in corrected:
        return before.get(seat)
    name = corrected[seat]
    return None if name is None else Hand(name)


def _declared(now: Table, command: DeclareIrregularity, answer: Json | None) -> Table:
    case = CASES.get(command.case)
    ruling = None if case is None else case.rulings.get(now.game.key)
    if ruling is None:  # typed by hand: the server will refuse it too
        return now
    return _EFFECTS[ruling.effect](now, command, answer is not None)


def _play_on(now: Table, _command: DeclareIrregularity, _recorded: bool) -> Table:
    return now


def _carry_all(now: Table, _command: DeclareIrregularity, recorded: bool) -> Table:
    if now.open_round is None:
        return now
    carried = now.carried | now.open_round.seats
    over = _over(now, Ended.CARRIED, recorded)
    return replace(over, carried=carried, carried_whole=bool(carried))


def _carry_hands(now: Table, command: DeclareIrregularity, _recorded: bool) -> Table:
    playing = _without(now, frozenset(command.seats))
    return replace(playing, carried=now.carried | frozenset(command.seats), carried_whole=False)


def _regroup(now: Table, command: DeclareIrregularity, recorded: bool) -> Table:
    opened = now.open_round
    if opened is None:
        return now
    seats = (opened.seats - frozenset(command.seats)) | frozenset(command.joining)
    if not seats:
        return _over(now, Ended.CANCELLED, recorded)
    return replace(now, open_round=replace(opened, seats=seats))


def _cancel_carried(now: Table, command: DeclareIrregularity, _recorded: bool) -> Table:
    left = frozenset() if now.carried_whole else now.carried - frozenset(command.seats)
    return replace(_carry_cancelled(now), carried=left, carried_whole=False)


def _carry_cancelled(now: Table) -> Table:
    """A whole game that was carried ends when its seats change; single hands end nothing."""
    if not now.carried_whole or now.last_round is None:
        return now
    return replace(now, last_round=replace(now.last_round, ended=Ended.CANCELLED))


def _refund_all(now: Table, _command: DeclareIrregularity, recorded: bool) -> Table:
    return now if now.open_round is None else _over(now, Ended.REFUNDED, recorded)


def _forfeit(now: Table, command: DeclareIrregularity, _recorded: bool) -> Table:
    return _without(now, frozenset(command.seats))


_EFFECTS: Mapping[Effect, Callable[[Table, DeclareIrregularity, bool], Table]] = {
    Effect.PLAY_ON: _play_on,
    Effect.CARRY_ALL: _carry_all,
    Effect.CARRY_HANDS: _carry_hands,
    Effect.REGROUP: _regroup,
    Effect.CANCEL_CARRIED: _cancel_carried,
    Effect.REFUND_ALL: _refund_all,
    Effect.SETTLE: _play_on,
    Effect.FORFEIT: _forfeit,
}


def _without(now: Table, seats: frozenset[int]) -> Table:
    opened = now.open_round
    if opened is None:
        return now
    return replace(now, open_round=replace(opened, seats=opened.seats - seats))


def _over(now: Table, ended: Ended, recorded: bool) -> Table:
    opened = now.open_round
    assert opened is not None  # noqa: S101 - looked at before
    last = LastRound(opened.id, ended, opened.seats, opened.terms, recorded)
    return replace(now, open_round=None, last_round=last)
