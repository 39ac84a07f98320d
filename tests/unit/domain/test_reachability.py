"""Which winners one deck can give, recomputed card by card over every deal of the shared cards."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from meter_server.domain.reachability import possible_splits, reachable
from tests.rules import rule
from tests.unit.domain import naive_hands

DECK = naive_hands.deck_of(52)
POSSIBLE = {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}
Cards = frozenset[str]
Winner = tuple[Cards, bool]
"""Cards, and whether they make a royal."""


@pytest.fixture(autouse=True)
def _computed_afresh() -> None:
    """What an earlier test remembered proves nothing here."""
    possible_splits.cache_clear()


@rule("A-28")
@pytest.mark.parametrize(("own", "shared"), [(2, 3), (3, 2)])
def test_both_games_have_the_same_five_possible_splits(own: int, shared: int) -> None:
    assert possible_splits(own, shared) == POSSIBLE


@rule("A-28")
@pytest.mark.parametrize(("own", "shared"), [(2, 3), (3, 2)])
def test_every_cell_of_the_printed_grid_is_judged(own: int, shared: int) -> None:
    for royals in range(5):
        for straight_flushes in range(8):
            expected = (royals, straight_flushes) in POSSIBLE
            assert reachable(own, shared, royals, straight_flushes) is expected


@rule("A-28")
@pytest.mark.parametrize(("own", "shared", "deals"), [(2, 3, 22_100), (3, 2, 1_326)])
def test_a_search_of_every_deal_finds_the_same(own: int, shared: int, deals: int) -> None:
    prize_hands = list(royals_and_straight_flushes())
    assert len(prize_hands) == 40
    found = set()
    dealt = 0
    for shared_cards in combinations(DECK, shared):
        dealt += 1
        held = [
            (hand.difference(shared_cards), royal)
            for hand, royal in prize_hands
            if hand.issuperset(shared_cards)
        ]
        found |= set(splits_of(held))
    assert dealt == deals
    assert found == possible_splits(own, shared)


def royals_and_straight_flushes() -> Iterator[Winner]:
    """Every such hand, found by naming all hands of one suit."""
    for suit in naive_hands.SUITS:
        for cards in combinations([card for card in DECK if card[1] == suit], 5):
            name = naive_hands.name(list(cards))
            if name in ("royal-flush", "straight-flush"):
                yield frozenset(cards), name == "royal-flush"


def splits_of(held: list[Winner], taken: Cards = frozenset()) -> Iterator[tuple[int, int]]:
    """Seat by seat: the next winner, if any, holds own cards that nobody else has."""
    yield 0, 0
    for position, (own_cards, royal) in enumerate(held):
        if not own_cards & taken:
            for royals, others in splits_of(held[position + 1 :], taken | own_cards):
                yield royals + royal, others + (not royal)


@pytest.mark.parametrize(("own", "shared"), [(5, 0), (2, 2), (3, 3), (6, -1)])
def test_a_game_without_a_five_card_hand_or_shared_cards_is_a_mistake(
    own: int, shared: int
) -> None:
    with pytest.raises(ValueError, match="five cards, at least one of them shared"):
        possible_splits(own, shared)


@pytest.mark.parametrize(("own", "shared"), [(5, 0), (2, 2), (3, 3)])
def test_a_jackpot_hand_is_five_cards_at_least_one_of_them_shared(own: int, shared: int) -> None:
    with pytest.raises(ValueError, match=r"^A jackpot hand is five cards, at least one of them"):
        possible_splits(own, shared)
    assert (1, 0) in possible_splits(4, 1)
