"""What each irregularity does to the Jackpot wagers, by game."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import GameKey


class Effect(StrEnum):
    """What happens to the Jackpot wagers of the round."""

    PLAY_ON = "play-on"
    """Nothing changes for the jackpot; the event is recorded."""
    CARRY_ALL = "carry-all"
    """Every wager stands for the next round, folded ones included (A-17, A-25)."""
    CARRY_HANDS = "carry-hands"
    """The named hands' wagers stand for the next round; the round goes on for the others (A-21)."""
    REGROUP = "regroup"
    """The game is cancelled and what remains is re-registered for the round in progress."""
    CANCEL_CARRIED = "cancel-carried"
    """Carried wagers are taken back; what remains is registered anew with the next round."""
    REFUND_ALL = "refund-all"
    """The game is cancelled and every wager returned, folded ones included (A-24)."""
    SETTLE = "settle"
    """The jackpot is settled on hole cards and Flop although the hand is a misdeal (A-20)."""
    FORFEIT = "forfeit"
    """The named wagers are lost; their contribution stays (A-43)."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One game's answer to a case."""

    effect: Effect
    action: Action
    rule: str


@dataclass(frozen=True, slots=True)
class Case:
    key: str
    title: str
    rulings: Mapping[GameKey, Ruling]


def _holdem(effect: Effect, action: Action, rule: str) -> dict[GameKey, Ruling]:
    ruling = Ruling(effect, action, f"WSOP {rule}")
    return {GameKey.WSOP: ruling, GameKey.ULTIMATE: ruling}


def _three_card(effect: Effect, action: Action, rule: str) -> dict[GameKey, Ruling]:
    return {GameKey.THREE_CARD: Ruling(effect, action, f"Three Card {rule}")}


def _both(effect: Effect, action: Action, wsop: str, three_card: str) -> dict[GameKey, Ruling]:
    return _holdem(effect, action, wsop) | _three_card(effect, action, three_card)


_CASES = (
    # CASE-1
    Case(
        "card-exposed",
        "A card was exposed in the initial deal",
        _holdem(Effect.CARRY_ALL, Action.DECLARE_EXPOSED_CARDS, "11.1")
        | _three_card(Effect.PLAY_ON, Action.DECLARE_EXPOSED_CARDS, "11.1"),
    ),
    Case(
        "cards-exposed",
        "Two or more cards, or one of the Dealer's, were exposed",
        _both(Effect.CARRY_ALL, Action.DECLARE_EXPOSED_CARDS, "11.1", "11.2, 11.3"),
    ),
    # CASE-2
    Case(
        "wrong-cards",
        "A betting area was dealt no cards or the wrong number",
        _both(Effect.CARRY_ALL, Action.DECLARE_WRONG_CARDS, "11.2", "11.4"),
    ),
    # CASE-3
    Case(
        "wrong-cards-late-count-wrong",
        "Wrong cards found after Play or Fold was called, and the deck does not count right",
        _three_card(Effect.CARRY_ALL, Action.DECLARE_WRONG_CARDS, "11.5.1"),
    ),
    # CASE-4, A-23
    Case(
        "wrong-cards-late-count-right",
        "Wrong cards found after Play or Fold was called, and the deck counts right",
        _three_card(Effect.REGROUP, Action.DECLARE_WRONG_CARDS, "11.5.2"),
    ),
    # CASE-5
    Case(
        "flop-wrong",
        "The Flop has the wrong number of cards and their order is not known",
        _holdem(Effect.CARRY_ALL, Action.DECLARE_WRONG_COUNT, "11.3.2"),
    ),
    # CASE-6, A-20
    Case(
        "later-cards-wrong",
        "Turn, River or Dealer has the wrong number of cards and their order is not known",
        _holdem(Effect.SETTLE, Action.DECLARE_WRONG_COUNT, "11.4.2")
        | _three_card(Effect.CARRY_ALL, Action.DECLARE_WRONG_COUNT, "11.6.2"),
    ),
    Case(
        "dealer-cards-wrong-before-flop",
        "The Dealer has the wrong number of cards before there is a Flop",
        {
            GameKey.ULTIMATE: Ruling(
                Effect.CARRY_ALL, Action.DECLARE_WRONG_COUNT, "WSOP 11.4.2, 12.5.1"
            )
        },
    ),
    # CASE-7, A-55
    Case(
        "wager-not-registered",
        "A wager on the layout was not registered, or is lit on the wrong seat",
        _both(Effect.REGROUP, Action.REREGISTER_WAGERS, "9.2.3", "6.2.3"),
    ),
    # CASE-8
    Case(
        "order-determined",
        "A wrong number of cards was dealt and their order can be determined",
        _both(Effect.PLAY_ON, Action.DECLARE_WRONG_COUNT, "11.3.1, 11.4.1", "11.6.1"),
    ),
    # CASE-9
    Case(
        "cards-without-wager",
        "Cards went to an area without a wager, found before the players looked or were called",
        _both(Effect.CARRY_ALL, Action.HANDLE_CARDS_WITHOUT_WAGER, "11.5", "11.7"),
    ),
    # CASE-10
    Case(
        "cards-without-wager-late",
        "Cards went to an area without a wager, found late: players may retract",
        _both(Effect.REGROUP, Action.HANDLE_CARDS_WITHOUT_WAGER, "11.6.1", "11.8.1"),
    ),
    # CASE-11
    Case(
        "cards-taken",
        "A player's cards were taken by mistake and cannot come back",
        _both(Effect.REGROUP, Action.RETURN_WAGERS, "11.7.3", "11.10.3"),
    ),
    # CASE-12
    Case(
        "community-cards-early",
        "Community cards were exposed early",
        _holdem(Effect.PLAY_ON, Action.DECLARE_EXPOSED_CARDS, "11.8"),
    ),
    # CASE-13
    Case(
        "deck-wrong",
        "The deck does not hold 52 cards",
        _both(Effect.CARRY_ALL, Action.HANDLE_DECK, "11.9", "11.12"),
    ),
    # CASE-14, A-21
    Case(
        "subsequent-wager-short",
        "A player cannot make the subsequent wager",
        _holdem(Effect.CARRY_HANDS, Action.RETURN_WAGERS, "11.10")
        | _three_card(Effect.REGROUP, Action.RETURN_WAGERS, "11.13"),
    ),
    # CASE-15
    Case(
        "subsequent-wager-wrong",
        "A subsequent wager has the wrong size at settlement",
        _both(Effect.PLAY_ON, Action.RECORD_OUTCOME, "11.11", "11.14"),
    ),
    # CASE-16, A-22
    Case(
        "other-hand-viewed",
        "A player viewed one hand, not the one in front of the seat",
        _both(Effect.PLAY_ON, Action.HANDLE_VIEWED_HANDS, "11.12.1", "11.11.1"),
    ),
    Case(
        "extra-hands-viewed",
        "A player viewed more than one hand: the others are void",
        _holdem(Effect.CARRY_HANDS, Action.HANDLE_VIEWED_HANDS, "11.12.2")
        | _three_card(Effect.REGROUP, Action.HANDLE_VIEWED_HANDS, "11.11.2"),
    ),
    Case(
        "retracted-after-viewing",
        "Players retract because another viewed more than one hand",
        _both(Effect.REGROUP, Action.HANDLE_VIEWED_HANDS, "11.12.2(a)", "11.11.2(a)"),
    ),
    # CASE-17
    Case(
        "misdeal",
        "The hand is a misdeal and everybody stays",
        # Its cause is not named, so it takes the highest rank that a cause takes.
        _both(Effect.CARRY_ALL, Action.DECLARE_WRONG_CARDS, "11.13", "11.15"),
    ),
    # CASE-18
    Case(
        "misdeal-player-leaves",
        "After a misdeal a player leaves",
        _both(Effect.CANCEL_CARRIED, Action.RETURN_WAGERS, "11.13.1", "11.15.1"),
    ),
    # CASE-19
    Case(
        "misdeal-player-joins",
        "After a misdeal a new player joins",
        _both(Effect.CANCEL_CARRIED, Action.RETURN_WAGERS, "11.13.2", "11.15.2"),
    ),
    # CASE-20
    Case(
        "begun-by-mistake",
        "The jackpot game was begun by mistake",
        _both(Effect.REFUND_ALL, Action.CANCEL_MISTAKEN_GAME, "11.14", "11.18"),
    ),
    Case(
        "not-acknowledged",
        "The registration was not acknowledged, and the round is played without jackpot",
        # No rank: no card was dealt, and the chips go back to whom they came from.
        _both(Effect.REFUND_ALL, Action.RETURN_WAGERS, "9.2.1", "6.2.1"),
    ),
    # CASE-21, A-24
    Case(
        "jackpot-cards-wrong",
        "The Jackpot Cards are wrong or mixed and cannot be reconstructed",
        _three_card(Effect.REFUND_ALL, Action.REFUND_FOR_JACKPOT_CARDS, "11.9, 11.17"),
    ),
    # CASE-22
    Case(
        "mixed-with-dealer",
        "A player's cards are mixed with the Dealer's and their order is not known",
        _three_card(Effect.CARRY_ALL, Action.DECLARE_WRONG_COUNT, "11.16, 11.6.2"),
    ),
    # CASE-23, A-22
    Case(
        "shuffler-count-wrong",
        "The shuffler could not verify the cards and the count is wrong",
        _both(Effect.CARRY_ALL, Action.HANDLE_DECK, "11.16", "11.20"),
    ),
    # CASE-24
    Case(
        "invalidated-disruption",
        "The outcome is invalidated: commotion, fire, riot, brawl, robbery, Act of God",
        _both(Effect.REFUND_ALL, Action.INVALIDATE_FOR_DISRUPTION, "14.3.1, 14.4", "13.4, 13.5"),
    ),
    Case(
        "invalidated-fraud",
        "The outcome is invalidated: fraud",
        _both(Effect.REFUND_ALL, Action.INVALIDATE_FOR_FRAUD, "14.3.2, 14.4", "13.3, 13.5"),
    ),
    # CASE-25
    Case(
        "wager-void",
        "A player's wager is declared void",
        _both(Effect.REGROUP, Action.VOID_WAGER, "14.2.1", "13.2.1"),
    ),
    # CASE-26, A-43
    Case(
        "information-exchanged",
        "A player exchanged information about the cards",
        _holdem(Effect.PLAY_ON, Action.VOID_WAGER, "7.4.1(a)")
        | _three_card(Effect.FORFEIT, Action.VOID_WAGER, "9.5.1(a)"),
    ),
)

CASES: Mapping[str, Case] = {case.key: case for case in _CASES}
