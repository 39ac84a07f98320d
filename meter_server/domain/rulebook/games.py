"""The three games, as far as the jackpot is concerned."""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product


class Book(StrEnum):
    """The documents that hold jackpot rules."""

    WSOP = "wsop"
    THREE_CARD = "three-card"


class GameKey(StrEnum):
    WSOP = "wsop"
    ULTIMATE = "ultimate"
    THREE_CARD = "three-card"


@dataclass(frozen=True, slots=True)
class JackpotRules:
    """Rule numbers of one document, by subject; the two number the same rule differently (A-51)."""

    places: str
    wager_required: str
    before_first_card: str
    one_wager_a_hand: str
    exact_cost: str
    continued: str
    operating: str
    display: str
    group: str
    one_group: str
    minimum: str
    reset: str
    reset_several_royals: str
    time_for_settlement: str
    simultaneous: str
    sequential: str
    rounded_value: str
    determination: str
    bonus_determination: str
    single_payout: str
    royal_split: str
    straight_flush_split: str
    misdeal: str
    dispute: str
    payable_amount: str


@dataclass(frozen=True, slots=True)
class Game:
    """What the software must know of one game (RULES by subject in ``rules``)."""

    key: GameKey
    title: str
    book: Book
    seats_max: int
    own_cards: int
    shared_cards: int
    own_cards_name: str
    shared_cards_name: str
    required_wagers: tuple[str, ...]
    continue_bet: str
    splits: frozenset[tuple[int, int]]
    """Every (royals, straight flushes) of one round that the printed tables provide for."""
    impossible_splits_recordable: bool
    """Whether a combination one deck cannot give may be recorded on confirmation (A-28)."""
    rules: JackpotRules


_WSOP_SPLITS = frozenset({(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)})
_THREE_CARD_SPLITS = frozenset(product(range(4 + 1), range(7 + 1)))

_WSOP_RULES = JackpotRules(
    places="WSOP 2.1",
    wager_required="WSOP 7.3.1",
    before_first_card="WSOP 5.2, 5.4",
    one_wager_a_hand="WSOP 9.2.2",
    exact_cost="WSOP 9.2.3",
    continued="WSOP 5.11",
    operating="WSOP 9.5",
    display="WSOP 9.1.1(k)",
    group="WSOP 9.1.1(b)",
    one_group="WSOP 9.1.1(c)",
    minimum="WSOP 9.3",
    reset="WSOP 9.4.1",
    reset_several_royals="WSOP 9.4.1",
    time_for_settlement="WSOP 10.2.2",
    simultaneous="WSOP 10.2.3",
    sequential="WSOP 10.2.4",
    rounded_value="WSOP 10.2.1",
    determination="WSOP 10.1.1",
    bonus_determination="WSOP 10.1.2",
    single_payout="WSOP Tables 4 and 5",
    royal_split="WSOP 10.3.1",
    straight_flush_split="WSOP 10.3.2",
    misdeal="WSOP 11.13",
    dispute="WSOP 14.10",
    payable_amount="WSOP 6.2.3",
)

# Ultimate inherits whatever rule 12 does not change (WSOP 12.1).
_ULTIMATE_RULES = replace(
    _WSOP_RULES,
    wager_required="WSOP 12.4.1, 12.5.1",
    before_first_card="WSOP 12.4.1",
    continued="WSOP 12.4.5",
)

_THREE_CARD_RULES = JackpotRules(
    places="Three Card 2.1",
    wager_required="Three Card 5.5.1(a)",
    before_first_card="Three Card 5.2, 5.4, 5.5",
    one_wager_a_hand="Three Card 6.2.2",
    exact_cost="Three Card 6.2.3",
    continued="Three Card 5.10",
    operating="Three Card 6.5",
    display="Three Card 6.1.1(k)",
    group="Three Card 6.1.1(b)",
    one_group="Three Card 6.1.1(c)",
    minimum="Three Card 6.3",
    reset="Three Card 6.4.1",
    reset_several_royals="Three Card 6.4.2",
    time_for_settlement="Three Card 7.3.2",
    simultaneous="Three Card 7.3.3",
    sequential="Three Card 7.3.4",
    rounded_value="Three Card 7.3.1",
    determination="Three Card 7.1.1",
    bonus_determination="Three Card 7.1.2",
    single_payout="Three Card Tables 3 and 4",
    royal_split="Three Card 7.4.1, 7.4.2",
    straight_flush_split="Three Card 7.4.3",
    misdeal="Three Card 11.15",
    dispute="Three Card 13.10",
    payable_amount="Three Card 8.2.3",
)

WSOP = Game(
    key=GameKey.WSOP,
    title="WSOP Bonus Texas Holdem",
    book=Book.WSOP,
    seats_max=9,
    own_cards=2,
    shared_cards=3,
    own_cards_name="hole cards",
    shared_cards_name="Flop",
    required_wagers=("Ante",),
    continue_bet="Flop bet",
    splits=_WSOP_SPLITS,
    impossible_splits_recordable=False,
    rules=_WSOP_RULES,
)

ULTIMATE = Game(
    key=GameKey.ULTIMATE,
    title="Ultimate Texas Holdem",
    book=Book.WSOP,
    seats_max=9,
    own_cards=2,
    shared_cards=3,
    own_cards_name="hole cards",
    shared_cards_name="Flop",
    required_wagers=("Ante", "Blind"),
    continue_bet="Play bet",
    splits=_WSOP_SPLITS,
    impossible_splits_recordable=False,
    rules=_ULTIMATE_RULES,
)

THREE_CARD = Game(
    key=GameKey.THREE_CARD,
    title="Three Card Poker",
    book=Book.THREE_CARD,
    seats_max=9,
    own_cards=3,
    shared_cards=2,
    own_cards_name="cards",
    shared_cards_name="Jackpot Cards",
    required_wagers=("Ante",),
    continue_bet="Play wager",
    splits=_THREE_CARD_SPLITS,
    impossible_splits_recordable=True,
    rules=_THREE_CARD_RULES,
)

GAMES = {game.key: game for game in (WSOP, ULTIMATE, THREE_CARD)}
