"""Who may do what: one table, looked up for each game, denying whatever it does not name.

Where the rules name nobody, the reading chosen stands in the citation as *inferred*.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from meter_server.domain.rulebook.games import GAMES, Book, GameKey


@dataclass(frozen=True, slots=True)
class Rank:
    """A step of the ladder; ranks are data, so that more can stand above (A-44)."""

    level: int
    key: str
    title: str


DEALER = Rank(10, "dealer", "Dealer")
HIGHER_DUTIES = Rank(20, "higher-duties", "TG Higher Duties Dealer")
AREA_MANAGER = Rank(30, "area-manager", "TG Area Manager")
ASSISTANT_CASINO_MANAGER = Rank(40, "assistant-casino-manager", "TG Assistant Casino Manager")

LADDER = (DEALER, HIGHER_DUTIES, AREA_MANAGER, ASSISTANT_CASINO_MANAGER)


class Action(StrEnum):
    """What a person does on the system that the rules, or a reading, give to a rank."""

    REGISTER_WAGERS = "register-wagers"
    RECORD_OUTCOME = "record-outcome"
    DETERMINE_PRIZE = "determine-prize"
    PAY_PRIZE = "pay-prize"
    CANCEL_MISTAKEN_GAME = "cancel-mistaken-game"
    DECLARE_EXPOSED_CARDS = "declare-exposed-cards"
    DECLARE_WRONG_CARDS = "declare-wrong-cards"
    DECLARE_WRONG_COUNT = "declare-wrong-count"
    HANDLE_CARDS_WITHOUT_WAGER = "handle-cards-without-wager"
    REFUND_FOR_JACKPOT_CARDS = "refund-for-jackpot-cards"
    HANDLE_VIEWED_HANDS = "handle-viewed-hands"
    INVALIDATE_FOR_DISRUPTION = "invalidate-for-disruption"
    INVALIDATE_FOR_FRAUD = "invalidate-for-fraud"
    VOID_WAGER = "void-wager"
    WITHHOLD_PRIZE = "withhold-prize"
    READ_METER = "read-meter"
    DECIDE_DISPUTE = "decide-dispute"
    HANDLE_DECK = "handle-deck"
    OPEN_TABLE = "open-table"
    CLOSE_TABLE = "close-table"
    SET_TOURNAMENT = "set-tournament"
    CONFIRM_SIGN = "confirm-sign"
    MANAGE_SYSTEMS = "manage-systems"
    DECLARE_MANUAL = "declare-manual"
    SET_LIMITS = "set-limits"
    RETURN_WAGERS = "return-wagers"
    REREGISTER_WAGERS = "reregister-wagers"
    CONFIRM_EXCEPTIONAL_HAND = "confirm-exceptional-hand"
    CORRECT_BONUS = "correct-bonus"
    CORRECT_SETTLEMENT = "correct-settlement"
    DECIDE_ORDER = "decide-order"
    KEY_IN_PAPER = "key-in-paper"


@dataclass(frozen=True, slots=True)
class Grant:
    """The lowest rank that may act, and the rule that says so."""

    rank: Rank
    rule: str


def _each(wsop: Grant, three_card: Grant) -> Mapping[GameKey, Grant]:
    """Ultimate inherits whatever rule 12 does not change (WSOP 12.1)."""
    by_book = {Book.WSOP: wsop, Book.THREE_CARD: three_card}
    return {key: by_book[game.book] for key, game in GAMES.items()}


def _both(rank: Rank, wsop_rule: str, three_card_rule: str) -> Mapping[GameKey, Grant]:
    return _each(Grant(rank, f"WSOP {wsop_rule}"), Grant(rank, f"Three Card {three_card_rule}"))


def _inferred(rank: Rank, reading: str) -> Mapping[GameKey, Grant]:
    return _each(Grant(rank, f"inferred, {reading}"), Grant(rank, f"inferred, {reading}"))


AUTHORITY: Mapping[Action, Mapping[GameKey, Grant]] = {
    # AUT-1
    Action.REGISTER_WAGERS: _both(DEALER, "9.2.1", "6.2.1"),
    Action.RECORD_OUTCOME: _both(DEALER, "10.2.2, 10.1.2", "7.3.2, 7.1.2"),
    # AUT-2
    Action.DETERMINE_PRIZE: _both(ASSISTANT_CASINO_MANAGER, "10.1.1", "7.1.1"),
    Action.PAY_PRIZE: _both(DEALER, "8.1", "10.1"),
    # AUT-3
    Action.CANCEL_MISTAKEN_GAME: _both(HIGHER_DUTIES, "11.14", "11.18"),
    # AUT-4
    Action.DECLARE_EXPOSED_CARDS: _both(DEALER, "11.1", "11.2, 11.3"),
    # AUT-5
    Action.DECLARE_WRONG_CARDS: _each(
        Grant(AREA_MANAGER, "WSOP 11.2"), Grant(HIGHER_DUTIES, "Three Card 11.4, 11.5")
    ),
    # AUT-6
    Action.DECLARE_WRONG_COUNT: _both(HIGHER_DUTIES, "11.3, 11.4", "11.6"),
    # AUT-7
    Action.HANDLE_CARDS_WITHOUT_WAGER: _each(
        Grant(HIGHER_DUTIES, "WSOP 11.5, 11.6"), Grant(DEALER, "Three Card 11.7, 11.8")
    ),
    # AUT-8
    Action.REFUND_FOR_JACKPOT_CARDS: {
        GameKey.THREE_CARD: Grant(HIGHER_DUTIES, "Three Card 11.9"),
    },
    # AUT-9
    Action.HANDLE_VIEWED_HANDS: _both(HIGHER_DUTIES, "11.12", "11.11"),
    # AUT-10
    Action.INVALIDATE_FOR_DISRUPTION: _both(HIGHER_DUTIES, "14.3.1", "13.4"),
    # AUT-11, A-45: the rank depends on the game.
    Action.INVALIDATE_FOR_FRAUD: _each(
        Grant(HIGHER_DUTIES, "WSOP 14.3.2"), Grant(ASSISTANT_CASINO_MANAGER, "Three Card 13.3")
    ),
    # AUT-12
    Action.VOID_WAGER: _both(ASSISTANT_CASINO_MANAGER, "14.2.1", "13.2.1"),
    Action.WITHHOLD_PRIZE: _both(ASSISTANT_CASINO_MANAGER, "14.2.3", "13.2.3"),
    # AUT-13
    Action.READ_METER: _both(AREA_MANAGER, "9.5.3", "6.5.3"),
    # AUT-14
    Action.DECIDE_DISPUTE: _both(AREA_MANAGER, "14.10", "13.10"),
    # AUT-15
    Action.HANDLE_DECK: _both(HIGHER_DUTIES, "3.3, 3.4, 4.1.1", "3.3, 3.4, 4.1.1"),
    # AUT-16
    Action.CLOSE_TABLE: _both(HIGHER_DUTIES, "14.7", "13.8"),
    Action.OPEN_TABLE: _inferred(HIGHER_DUTIES, "whoever may close it"),
    Action.SET_TOURNAMENT: _inferred(HIGHER_DUTIES, "whoever may close the table"),
    Action.CONFIRM_SIGN: _inferred(AREA_MANAGER, "a sign that cannot speak for itself"),
    # AUT-17: nobody is named.
    Action.MANAGE_SYSTEMS: _inferred(ASSISTANT_CASINO_MANAGER, "no rule names a rank"),
    # AUT-18: nobody is named.
    Action.DECLARE_MANUAL: _inferred(AREA_MANAGER, "A-57"),
    # SGN-5: nobody is named.
    Action.SET_LIMITS: _inferred(AREA_MANAGER, "no rule names a rank"),
    Action.RETURN_WAGERS: _both(DEALER, "11.10, 11.13", "11.13, 11.15"),
    Action.REREGISTER_WAGERS: _inferred(HIGHER_DUTIES, "A-55"),
    Action.CONFIRM_EXCEPTIONAL_HAND: _inferred(HIGHER_DUTIES, "A-28"),
    Action.CORRECT_BONUS: _inferred(HIGHER_DUTIES, "A-59"),
    Action.CORRECT_SETTLEMENT: _inferred(ASSISTANT_CASINO_MANAGER, "A-58"),
    Action.DECIDE_ORDER: _inferred(ASSISTANT_CASINO_MANAGER, "A-38"),
    Action.KEY_IN_PAPER: _inferred(HIGHER_DUTIES, "A-57"),
}


def grant_for(action: Action, game: GameKey) -> Grant | None:
    """The rank that may act at a table of this game; None where nobody may."""
    return AUTHORITY[action].get(game)


def may(rank: Rank, action: Action, game: GameKey) -> bool:
    """A higher rank may do whatever a lower one may (A-44)."""
    grant = grant_for(action, game)
    return grant is not None and rank.level >= grant.rank.level
