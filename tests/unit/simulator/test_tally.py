"""What is seen is held against the odds, and what cannot be chance is outside."""

from random import Random

import pytest

from deploy.simulator.dealing import deal
from deploy.simulator.tally import Tally, returned
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.terms import Terms

ROUNDS = 400


def test_shuffled_decks_are_within_the_band() -> None:
    tally, dice = Tally(), Random(7)  # noqa: S311 - cards that can be had again
    game, seats = GAMES[GameKey.THREE_CARD], range(1, 8)
    for _ in range(ROUNDS):
        dealt = deal(game, seats, dice)
        tally.add([dealt.hand(seat) for seat in seats], 0)
    assert tally.dealt == ROUNDS * len(seats)
    assert [hand for hand, seen in tally.seen() if not seen.within] == []


def test_royals_in_every_round_are_outside() -> None:
    tally = Tally()
    for _ in range(5):
        tally.add([Hand.ROYAL_FLUSH, Hand.NO_PAIR], 1)
    outside = {hand for hand, seen in tally.seen() if not seen.within}
    assert Hand.ROYAL_FLUSH in outside
    assert tally.folded == 5


def test_the_return_is_held_against_the_designed_one() -> None:
    """88.87 % is what every printed row returns in the long run."""
    seen = returned(Terms(1, 20_000, 500), 100_000, 0.5)
    assert seen.expected == pytest.approx(0.8887, abs=0.00006)
    assert seen.within
    # A royal of about $121,750 comes once in 649,740 wagers: that alone is 151 a wager.
    assert seen.high - seen.expected == pytest.approx(3.29 * 151 / 100_000**0.5, rel=0.1)
