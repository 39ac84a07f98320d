"""Hands are named and compared as the rules say, checked against every hand there is."""

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.cards import cards_of, parse_cards
from meter_server.domain.hands import (
    Hand,
    check_round_cards,
    classify,
    jackpot_hand,
    rank_order,
    strength,
)
from meter_server.domain.refusals import Kind, Refused
from tests.rules import rule
from tests.unit.domain import naive_hands

DECKS = [52, 40, 36, 32]


def named(text: str, deck: int = 52) -> Hand:
    return classify(parse_cards(text), deck)


def strong(text: str, deck: int = 52) -> int:
    return strength(parse_cards(text), deck)


# Naming


@rule("HND-1")
@pytest.mark.parametrize(
    ("text", "hand", "title"),
    [
        ("As Ks Qs Js Ts", "royal-flush", "royal flush"),
        ("Kd Qd Jd Td 9d", "straight-flush", "straight flush"),
        ("7c 7d 7h 7s 2c", "four-of-a-kind", "four of a kind"),
        ("7c 7d 7h 2s 2c", "full-house", "full house"),
        ("Ah Jh 8h 4h 2h", "flush", "flush"),
        ("9c 8d 7h 6s 5c", "straight", "straight"),
        ("7c 7d 7h 3s 2c", "three-of-a-kind", "three of a kind"),
        ("7c 7d 3h 3s 2c", "two-pair", "two pair"),
        ("7c 7d 4h 3s 2c", "one-pair", "one pair"),
        ("Ac Jd 8h 4s 2c", "no-pair", "no pair"),
    ],
)
def test_each_hand_is_named(text: str, hand: str, title: str) -> None:
    assert named(text).value == hand
    assert named(text).title == title


# Worked out in every handbook on poker; a deck of 52 cards has C(52, 5) = 2,598,960 hands.
WAYS_OF_52 = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 624,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three-of-a-kind": 54_912,
    "two-pair": 123_552,
    "one-pair": 1_098_240,
    "no-pair": 1_302_540,
}


@rule("HND-1", "HND-2", "HND-3")
def test_all_hands_of_the_full_deck_give_the_known_counts() -> None:
    found = Counter(classify(cards).value for cards in combinations(cards_of(52), 5))
    assert found == WAYS_OF_52


@rule("HND-5")
@pytest.mark.parametrize(
    ("deck", "runs"),
    # 40 cards have six runs, from 5-9 to 10-Ace, and one under the low Ace; one fewer a rank.
    [(40, 7), (36, 6), (32, 5)],
)
def test_all_hands_of_a_stripped_deck_give_the_known_counts(deck: int, runs: int) -> None:
    found = Counter(classify(cards, deck).value for cards in combinations(cards_of(deck), 5))
    ranks = deck // 4
    assert found["royal-flush"] == 4
    assert found["straight-flush"] == 4 * (runs - 1)
    assert found["straight"] == (4**5 - 4) * runs
    assert found["flush"] == 4 * (comb(ranks, 5) - runs)
    assert found["four-of-a-kind"] == ranks * (deck - 4)
    assert found["full-house"] == ranks * 4 * (ranks - 1) * 6


@rule("HND-2")
@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("Ac 2d 3h 4s 5c", Hand.STRAIGHT),
        ("Ac Kd Qh Js Tc", Hand.STRAIGHT),
        ("Kc Ad 2h 3s 4c", Hand.NO_PAIR),
        ("Qc Kd Ah 2s 3c", Hand.NO_PAIR),
        ("Jc Qd Kh As 2c", Hand.NO_PAIR),
        ("Ah 2h 3h 4h 5h", Hand.STRAIGHT_FLUSH),
        ("Kh Ah 2h 3h 4h", Hand.FLUSH),
        ("Jh Qh Kh Ah 2h", Hand.FLUSH),
    ],
)
def test_the_ace_is_high_or_low_and_never_in_the_middle(text: str, hand: Hand) -> None:
    assert named(text) is hand


@rule("HND-3")
@pytest.mark.parametrize("suit", "cdhs")
def test_a_royal_is_a_royal_only_in_every_suit(suit: str) -> None:
    assert named(" ".join(rank + suit for rank in "TQAKJ")) is Hand.ROYAL_FLUSH
    assert named(" ".join(rank + suit for rank in "9TJQK")) is Hand.STRAIGHT_FLUSH


@rule("HND-5")
@pytest.mark.parametrize(
    ("deck", "low_straight"),
    [(40, "Ah 5h 6h 7h 8h"), (36, "Ah 6h 7h 8h 9h"), (32, "Ah 7h 8h 9h Th")],
)
def test_the_ace_plays_under_the_lowest_card_of_a_stripped_deck(
    deck: int, low_straight: str
) -> None:
    assert named(low_straight, deck) is Hand.STRAIGHT_FLUSH
    assert named(low_straight.replace("Ah", "Ac"), deck) is Hand.STRAIGHT
    assert named(low_straight) is Hand.FLUSH
    for other in set(DECKS) - {deck, 52}:
        if all(card in map(repr, cards_of(other)) for card in low_straight.split()):
            assert named(low_straight, other) is Hand.FLUSH


def hands_of(deck: int) -> Any:
    return st.lists(st.sampled_from(naive_hands.deck_of(deck)), min_size=5, max_size=5, unique=True)


@st.composite
def likely_hands(draw: st.DrawFn) -> tuple[list[str], int]:
    """A deck and a hand of it; from few ranks or one suit, so that rare hands come often."""
    deck = draw(st.sampled_from(DECKS))
    cards = naive_hands.deck_of(deck)
    kind = draw(st.sampled_from(["any", "few ranks", "one suit", "neighbours"]))
    if kind == "few ranks":
        ranks = draw(st.sets(st.sampled_from([card[0] for card in cards]), min_size=2, max_size=3))
        cards = [card for card in cards if card[0] in ranks]
    elif kind == "one suit":
        cards = [card for card in cards if card[1] == "h"]
    elif kind == "neighbours":
        ranks_in_order = "A" + naive_hands.RANKS[-deck // 4 :]
        lowest = draw(st.integers(0, len(ranks_in_order) - 5))
        return [
            rank + draw(st.sampled_from(naive_hands.SUITS))
            for rank in ranks_in_order[lowest : lowest + 5]
        ], deck
    return draw(st.lists(st.sampled_from(cards), min_size=5, max_size=5, unique=True)), deck


@rule("HND-1", "HND-2", "HND-3", "HND-5")
@given(likely_hands())
def test_a_second_classifier_agrees(drawn: tuple[list[str], int]) -> None:
    cards, deck = drawn
    assert named(" ".join(cards), deck).value == naive_hands.name(cards, deck)


@rule("HND-1")
@given(likely_hands(), st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_suits_matter(drawn: tuple[list[str], int], random: Any) -> None:
    cards, deck = drawn
    new_suits = str.maketrans("cdhs", "".join(random.sample("cdhs", 4)))
    changed = [card[0] + card[1].translate(new_suits) for card in random.sample(cards, 5)]
    assert named(" ".join(changed), deck) is named(" ".join(cards), deck)
    assert strong(" ".join(changed), deck) == strong(" ".join(cards), deck)


# Which hand beats which


@rule("HND-1", "HND-5")
@pytest.mark.parametrize("deck", DECKS)
def test_the_order_of_hands_is_the_printed_one(deck: int) -> None:
    assert tuple(hand.value for hand in rank_order(deck)) == naive_hands.order(deck)


@rule("HND-5")
def test_a_flush_beats_a_full_house_in_stripped_decks_only() -> None:
    flush, full_house = "Ah Jh 9h 8h 7h", "Ac Ad As Kc Kd"
    assert strong(flush) < strong(full_house)
    for deck in (40, 36, 32):
        assert strong(flush, deck) > strong(full_house, deck)


@rule("HND-1", "HND-2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As Ks Qs Js Ts", "Kh Qh Jh Th 9h"),
        ("6h 5h 4h 3h 2h", "5h 4h 3h 2h Ah"),
        ("Kc Qd Jh Ts 9c", "Jc Td 9h 8s 7c"),
        ("3c 3d 3h 2s 2c", "2d 2h 2s Ac Ad"),
        ("7c 7d 4h 3s Ac", "7h 7s 4c 3d Kc"),
    ],
)
def test_hands_of_one_kind_are_ranked_by_their_cards(better: str, worse: str) -> None:
    assert strong(better) > strong(worse)


@rule("HND-1", "HND-5")
@given(st.data(), likely_hands())
def test_comparison_agrees_with_a_second_one(
    data: st.DataObject, drawn: tuple[list[str], int]
) -> None:
    cards, deck = drawn
    others = data.draw(hands_of(deck))
    difference = strong(" ".join(cards), deck) - strong(" ".join(others), deck)
    ours, theirs = naive_hands.worth(cards, deck), naive_hands.worth(others, deck)
    assert (difference > 0, difference == 0) == (ours > theirs, ours == theirs)


# What cannot be a hand


@rule("HND-1")
@pytest.mark.parametrize("text", ["As", "As Ks Qs Js", "As Ks Qs Js Ts 9s"])
def test_a_hand_of_any_other_size_is_refused(text: str) -> None:
    for judge in (classify, strength):
        with pytest.raises(Refused) as refused:
            judge(parse_cards(text))
        assert refused.value.refusal.kind is Kind.BAD_CARDS
        assert str(refused.value) == (
            f"A hand is five cards and '{text}' has {len(text.split())}. "
            "[WSOP 3.6.1] Give exactly five cards."
        )


@rule("HND-1")
def test_a_hand_that_holds_a_card_twice_is_refused() -> None:
    cards = parse_cards("As Ks Qs Js")
    with pytest.raises(Refused, match="The card As is given twice"):
        classify((*cards, cards[0]))


@rule("HND-5")
@pytest.mark.parametrize(("deck", "card"), [(40, "4s"), (36, "5s"), (32, "6s")])
def test_a_hand_with_a_card_outside_its_deck_is_refused(deck: int, card: str) -> None:
    with pytest.raises(Refused, match=f"The card {card} is not in a deck of {deck} cards"):
        named(f"As Ks Qs Js {card}", deck)


@pytest.mark.parametrize("judge", [classify, strength])
def test_a_hand_of_no_known_deck_is_refused(judge: Any) -> None:
    with pytest.raises(Refused, match="There is no deck of 51 cards"):
        judge(parse_cards("As Ks Qs Js Ts"), 51)
    with pytest.raises(Refused, match="There is no deck of 51 cards"):
        rank_order(51)


# The jackpot hand


def jackpot(own: str, shared: str, own_count: int, shared_count: int) -> Hand:
    return jackpot_hand(
        parse_cards(own), parse_cards(shared), own_count=own_count, shared_count=shared_count
    )


@rule("SET-11")
def test_the_jackpot_hand_is_own_and_shared_cards() -> None:
    assert jackpot("As Ks", "Qs Js Ts", 2, 3) is Hand.ROYAL_FLUSH
    assert jackpot("As Ks Qs", "Js Ts", 3, 2) is Hand.ROYAL_FLUSH
    assert jackpot("As Kd", "Qs Js Ts", 2, 3) is Hand.STRAIGHT


@rule("SET-11", "A-48")
@pytest.mark.parametrize(
    ("own", "shared", "own_count", "shared_count"),
    [
        ("As Ks", "Qs Js 2d Ts 3c", 2, 3),  # with turn and river the best five would be a royal
        ("As Ks", "Qs Js 2d Ts", 2, 3),
        ("As", "Ks Qs Js Ts", 2, 3),  # five in all, but not the player's two
        ("As Ks Qs", "Js Ts", 2, 3),  # the other game's numbers
        ("As Ks", "Qs Js Ts", 3, 2),
        ("As Ks Qs", "Js", 3, 2),
    ],
)
def test_other_numbers_of_cards_are_refused(
    own: str, shared: str, own_count: int, shared_count: int
) -> None:
    with pytest.raises(Refused) as refused:
        jackpot(own, shared, own_count, shared_count)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"{len(own.split())} cards of the player and {len(shared.split())} shared cards are given. "
        "[WSOP 5.11.1, 12.4.5; Three Card 5.10.1(b)] "
        f"A jackpot hand is exactly {own_count} and {shared_count}: give these."
    )


@rule("HND-4", "A-48")
@pytest.mark.parametrize(
    ("own", "shared", "hand"),
    [
        ("Qh Kh Ah", "2c 7d", Hand.NO_PAIR),  # three cards to a straight flush win other bets
        ("9c 9d 9h", "9s 2d", Hand.FOUR_OF_A_KIND),
        ("2c 3c 9c", "Jc Kc", Hand.FLUSH),
        ("4c 5d 6h", "7s 8c", Hand.STRAIGHT),
    ],
)
def test_the_order_of_three_card_hands_plays_no_part(own: str, shared: str, hand: Hand) -> None:
    assert jackpot(own, shared, 3, 2) is hand


@rule("SET-11")
def test_an_own_card_that_is_also_shared_is_refused() -> None:
    with pytest.raises(Refused, match="The card Qs is given twice"):
        jackpot("As Qs", "Qs Js Ts", 2, 3)


# The cards of one round


@rule("HND-1")
def test_the_cards_of_a_round_may_differ() -> None:
    check_round_cards(
        {
            "seat 1": parse_cards("As Ks"),
            "seat 2": parse_cards("9s 8s"),
            "the flop": parse_cards("Qs Js Ts"),
        }
    )


@rule("HND-1")
@pytest.mark.parametrize(
    ("places", "first", "second"),
    [
        ({"seat 1": "As Ks", "seat 2": "9s As", "the flop": "Qs Js Ts"}, "seat 1", "seat 2"),
        ({"seat 1": "As Ks", "seat 2": "9s 8s", "the flop": "Qs Js As"}, "seat 1", "the flop"),
    ],
)
def test_a_card_in_two_places_of_a_round_is_refused(
    places: dict[str, str], first: str, second: str
) -> None:
    with pytest.raises(Refused) as refused:
        check_round_cards({place: parse_cards(text) for place, text in places.items()})
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"The card As is given for {first} and for {second}. "
        "[WSOP 3.1, 11.9; Three Card 3.1, 11.12] "
        "Correct the cards, or have the deck checked if both are on the table."
    )


@rule("HND-1")
def test_a_card_twice_in_one_place_of_a_round_is_refused() -> None:
    ace = parse_cards("As")
    with pytest.raises(Refused, match="The card As is given twice"):
        check_round_cards({"seat 1": (*ace, *ace)})
