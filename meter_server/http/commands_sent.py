"""A command in the words of the wire, as a command of the rules."""

from collections.abc import Iterable, Mapping, Set
from datetime import datetime, timedelta

from pokerkit import Card

from meter_server.contract import messages as sent
from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.tables import Gate

_EPOCH_START = datetime.fromisoformat("1970-01-01T00:00:00Z")


def command_of(words: sent.Command) -> Command:
    match words:
        case sent.RegisterWagers():
            return commands.RegisterWagers(
                words.round, words.table, frozenset(words.seats), words.cost_cents
            )
        case sent.RecordOutcome():
            hands, shared = reports_of(words.hands), cards_of(words.shared_cards)
            return commands.RecordOutcome(words.round, hands, shared, words.case)
        case sent.DeclareIrregularity():
            return commands.DeclareIrregularity(
                words.table,
                words.case,
                frozenset(words.seats),
                frozenset(words.joining),
                words.reason,
            )
        case sent.CorrectBonus():
            return commands.CorrectBonus(
                words.round, {one.seat: _hand(one.hand) for one in words.hands}
            )
        case sent.ReportGates():
            return commands.ReportGates(words.table, frozenset(map(Gate, words.failing)))
        case sent.OpenTable():
            return commands.OpenTable(words.table)
        case sent.CloseTable():
            return commands.CloseTable(words.table, words.players_present)


def actions_of(words: sent.Command) -> Set[Action]:
    """What a supervisor's grant must be for, to stand behind the command."""
    match words:
        case sent.RegisterWagers():
            return {Action.REGISTER_WAGERS}
        case sent.RecordOutcome():
            return {
                Action.RECORD_OUTCOME,
                Action.CONFIRM_EXCEPTIONAL_HAND,
                *_actions_of_case(words.case),
            }
        case sent.DeclareIrregularity():
            return _actions_of_case(words.case)
        case sent.CorrectBonus():
            return {Action.CORRECT_BONUS}
        case sent.ReportGates():
            return {Action.REGISTER_WAGERS}
        case sent.OpenTable():
            return {Action.OPEN_TABLE}
        case sent.CloseTable():
            return {Action.CLOSE_TABLE}


def _actions_of_case(key: str | None) -> set[Action]:
    """By any game: which one is played at the table is the door's to know."""
    case = CASES.get(key or "")
    return set() if case is None else {ruling.action for ruling in case.rulings.values()}


def reports_of(hands: Iterable[sent.HandReport]) -> Mapping[int, commands.HandReport]:
    return {one.seat: _report(one) for one in hands}


def microseconds(instant: str) -> int:
    return (datetime.fromisoformat(instant) - _EPOCH_START) // timedelta(microseconds=1)


def _report(words: sent.HandReport) -> commands.HandReport:
    return commands.HandReport(_hand(words.hand), cards_of(words.cards), words.folded)


def _hand(name: str | None) -> Hand | None:
    return None if name is None else Hand(name)


def cards_of(written: str) -> tuple[Card, ...]:
    """Whether one deck can hold them is the rules' to say: that must be heard, and answered."""
    return tuple(card for piece in written.split() for card in Card.parse(piece))
