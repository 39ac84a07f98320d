"""Five-card hands: which one a player holds, which beats which, and the hand of a jackpot."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache

from pokerkit import Card, Label, Lookup, Rank, ShortDeckHoldemLookup, StandardLookup

from meter_server.domain.cards import (
    FULL_DECK,
    cards_of,
    check_belong,
    check_distinct,
    format_cards,
    ranks_of,
)
from meter_server.domain.refusals import Kind, Refused

HAND_SIZE = 5


class Hand(Enum):
    """The ten five-card hands; the values travel and are stored, so they never change (HND-1).

    Not ordered: which hand beats which depends on the deck, see `rank_order`.
    """

    ROYAL_FLUSH = "royal-flush"
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    FULL_HOUSE = "full-house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three-of-a-kind"
    TWO_PAIR = "two-pair"
    ONE_PAIR = "one-pair"
    NO_PAIR = "no-pair"

    @property
    def title(self) -> str:
        """The hand in plain words: "royal flush"."""
        return self.value.replace("-", " ")


METER_HANDS = (Hand.ROYAL_FLUSH, Hand.STRAIGHT_FLUSH)
"""The hands whose prizes come off the meter."""


def rank_order(deck: int = FULL_DECK) -> tuple[Hand, ...]:
    """The hands from the highest to the lowest (HND-1); a flush beats a full house where cards
    are stripped from the deck (HND-5).
    """
    ranks_of(deck)  # refuses a deck that does not exist
    return _FULL_DECK_ORDER if deck == FULL_DECK else _STRIPPED_DECK_ORDER


def classify(cards: Sequence[Card], deck: int = FULL_DECK) -> Hand:
    """Name the hand that exactly five cards make (HND-1, HND-2, HND-3, HND-5)."""
    _check_five(cards, deck)
    if {card.rank for card in cards} == _ROYAL_RANKS and len({card.suit for card in cards}) == 1:
        return Hand.ROYAL_FLUSH  # only a royal, never also a straight flush (HND-3)
    return _HAND_OF_LABEL[_lookup(deck).get_entry(cards).label]


def strength(cards: Sequence[Card], deck: int = FULL_DECK) -> int:
    """A number to compare hands of one deck: the greater beats, equal ones tie, suits are equal.

    (HND-1, HND-5)
    """
    _check_five(cards, deck)
    return _lookup(deck).get_entry(cards).index


def jackpot_hand(
    own_cards: Sequence[Card],
    shared_cards: Sequence[Card],
    *,
    own_count: int,
    shared_count: int,
) -> Hand:
    """Name the hand that a Jackpot wager is judged on: the player's own cards with the shared ones.

    2 hole cards with the 3 of the flop, or 3 cards with the 2 Jackpot Cards (SET-11). There is no
    choice of the best five: turn, river and the Dealer's cards cannot be passed in (A-48), and the
    order of three-card hands plays no part (HND-4).
    """
    if (len(own_cards), len(shared_cards)) != (own_count, shared_count):
        raise Refused(
            Kind.BAD_CARDS,
            f"{len(own_cards)} cards of the player and {len(shared_cards)} shared cards are given.",
            rule="WSOP 5.11.1, 12.4.5; Three Card 5.10.1(b)",
            remedy=f"A jackpot hand is exactly {own_count} and {shared_count}: give these.",
        )
    return classify((*own_cards, *shared_cards))


def check_round_cards(places: Mapping[str, Sequence[Card]]) -> None:
    """Refuse a card that is in two places of one round: one deck deals each card once (HND-1).

    `places` names where the cards are, such as "seat 3" or "the flop", for the refusal.
    """
    seen: dict[Card, str] = {}
    for place, cards in places.items():
        check_distinct(cards)
        for card in cards:
            if card in seen:
                raise Refused(
                    Kind.BAD_CARDS,
                    f"The card {card!r} is given for {seen[card]} and for {place}.",
                    rule="WSOP 3.1, 11.9; Three Card 3.1, 11.12",
                    remedy="Correct the cards, or have the deck checked if both are on the table.",
                )
            seen[card] = place


_FULL_DECK_ORDER = tuple(Hand)
_STRIPPED_DECK_ORDER = (
    Hand.ROYAL_FLUSH,
    Hand.STRAIGHT_FLUSH,
    Hand.FOUR_OF_A_KIND,
    Hand.FLUSH,
    Hand.FULL_HOUSE,
    Hand.STRAIGHT,
    Hand.THREE_OF_A_KIND,
    Hand.TWO_PAIR,
    Hand.ONE_PAIR,
    Hand.NO_PAIR,
)

_ROYAL_RANKS = {Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN}

_HAND_OF_LABEL = {
    Label.STRAIGHT_FLUSH: Hand.STRAIGHT_FLUSH,
    Label.FOUR_OF_A_KIND: Hand.FOUR_OF_A_KIND,
    Label.FULL_HOUSE: Hand.FULL_HOUSE,
    Label.FLUSH: Hand.FLUSH,
    Label.STRAIGHT: Hand.STRAIGHT,
    Label.THREE_OF_A_KIND: Hand.THREE_OF_A_KIND,
    Label.TWO_PAIR: Hand.TWO_PAIR,
    Label.ONE_PAIR: Hand.ONE_PAIR,
    Label.HIGH_CARD: Hand.NO_PAIR,
}


class _FortyCardLookup(ShortDeckHoldemLookup):
    """The library's short deck begins at 6; this one begins at 5, and the Ace plays under it."""

    rank_order = ranks_of(40)  # type: ignore[assignment]  # typed for the library's own decks


class _ThirtyTwoCardLookup(ShortDeckHoldemLookup):
    """As above, beginning at 7."""

    rank_order = ranks_of(32)  # type: ignore[assignment]  # typed for the library's own decks


_LOOKUPS: dict[int, type[Lookup]] = {
    FULL_DECK: StandardLookup,
    40: _FortyCardLookup,
    36: ShortDeckHoldemLookup,
    32: _ThirtyTwoCardLookup,
}


@cache
def _lookup(deck: int) -> Lookup:
    return _LOOKUPS[deck]()


def _check_five(cards: Sequence[Card], deck: int) -> None:
    distinct = frozenset(cards)
    if len(cards) == len(distinct) == HAND_SIZE and distinct <= cards_of(deck):
        return
    check_distinct(cards)
    check_belong(cards, deck)
    raise Refused(
        Kind.BAD_CARDS,
        f"A hand is five cards and '{format_cards(cards)}' has {len(cards)}.",
        rule="WSOP 3.6.1",
        remedy="Give exactly five cards.",
    )
