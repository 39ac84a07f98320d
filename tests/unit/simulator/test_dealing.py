"""Decks are real, and stacked ones hold what the show says."""

from collections import Counter
from random import Random

import pytest

from deploy.simulator.dealing import Show, deal, stacked, winners
from deploy.simulator.players import Players, folds
from meter_server.domain.cards import parse_cards
from meter_server.domain.rulebook.games import GAMES, Game, GameKey
from meter_server.domain.rulebook.terms import Terms
from tests.independent.hands import JACKPOT, name

TERMS = Terms(1, 20_000, 500)
SEATS = list(range(1, 8))
GAME_LIST = list(GAMES.values())
SHOWN = {
    Show.ROYAL: {"royal-flush": 1},
    Show.STRAIGHT_FLUSH: {"straight-flush": 1},
    Show.ROYAL_AND_STRAIGHT_FLUSH: {"royal-flush": 1, "straight-flush": 1},
    Show.TWO_STRAIGHT_FLUSHES: {"straight-flush": 2},
}


def dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - cards that can be had again


@pytest.mark.parametrize("game", GAME_LIST, ids=lambda game: game.key)
def test_one_deck_deals_every_card_once(game: Game) -> None:
    dealt = deal(game, SEATS, dice(1))
    cards = [card for own in dealt.own.values() for card in own] + [*dealt.shared, *dealt.later]
    assert len(set(cards)) == len(cards) == len(SEATS) * game.own_cards + game.shared_cards + 2
    assert deal(game, SEATS, dice(1)) == dealt


@pytest.mark.parametrize("show", Show)
@pytest.mark.parametrize("game", GAME_LIST, ids=lambda game: game.key)
def test_a_stacked_deck_deals_the_show_and_nothing_else_of_the_meter(
    game: Game, show: Show
) -> None:
    for seed in range(20):
        dealt = stacked(game, SEATS, show, dice(seed))
        shared = [repr(card) for card in dealt.shared]
        hands = [name([*map(repr, own), *shared]) for own in dealt.own.values()]
        off_the_meter = Counter(hand for hand in hands if hand in JACKPOT)
        assert off_the_meter == SHOWN[show]
        assert sum(SHOWN[show].values()) == winners(show, game)
        assert not any(folds(dealt, seat, TERMS) for seat in SEATS)


@pytest.mark.parametrize(
    ("own", "gone"),
    [
        ("Qc 6d 4h", False),
        ("Qc 6d 3h", True),
        ("Kc 2d 3h", False),
        ("Jc Td 8h", True),
        ("2c 3c 9c", False),
        ("2c 2d 3h", False),
        ("Ac 2d 3h", False),
        ("2c 3d 4h", False),
    ],
)
def test_three_card_players_stay_from_queen_six_four(own: str, gone: bool) -> None:
    assert _folds(GameKey.THREE_CARD, own, "Ks 8s") is gone


@pytest.mark.parametrize(
    ("own", "gone"),
    [("2c 7d", True), ("2c 8d", False), ("2c 7c", False), ("3c 7d", False), ("2c 2d", False)],
)
def test_holdem_players_give_up_only_the_lowest(own: str, gone: bool) -> None:
    assert _folds(GameKey.WSOP, own, "Ks 9h 8s") is gone


def _folds(key: GameKey, own: str, shared: str) -> bool:
    dealt = deal(GAMES[key], [1], dice(1))
    fixed = type(dealt)(dealt.game, {1: parse_cards(own)}, parse_cards(shared), ())
    return folds(fixed, 1, TERMS)


def test_a_table_is_never_empty() -> None:
    players = Players(3, dice(1))
    for step in range(300):
        players.come_and_go(0.9, dice(step))
        assert 1 <= len(players.seats) <= 3
        assert sorted([*players.seats, *players.free()]) == [1, 2, 3]
