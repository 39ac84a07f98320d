"""Playing cards: how they are written and read, and the decks they come from."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from pokerkit import Card, Deck, Rank, RankOrder

from meter_server.domain.refusals import Kind, Refused

SUITS = 4
FULL_DECK = 52
DECK_SIZES = (FULL_DECK, 40, 36, 32)

_ONE_DECK = "WSOP 3.1; Three Card 3.1"
_DECKS = "Gazette Poker 3.1.1-3.1.4"
_HOW_TO_WRITE = "Write rank 2-9 T J Q K A and suit c d h s, for example As."

_WRITTEN_CARD = re.compile(r"10.?|..?")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read "As Ks Qs", "AsKsQs", "as, ks, qs" or "10s"; refuse what no single deck holds."""
    written = [piece for word in re.split(r"[\s,]+", text) for piece in _WRITTEN_CARD.findall(word)]
    if not written:
        raise Refused(Kind.BAD_CARDS, "No card is given.", rule=_ONE_DECK, remedy=_HOW_TO_WRITE)
    cards = tuple(_parse_card(piece) for piece in written)
    check_distinct(cards)
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards the canonical way, rank then suit and T for ten: "As Ks Qs Js Ts"."""
    return " ".join(map(repr, cards))


def check_distinct(cards: Sequence[Card]) -> None:
    """Refuse a card that is given twice: one deck holds each card once (HND-1)."""
    for position, card in enumerate(cards):
        if card in cards[:position]:
            raise Refused(
                Kind.BAD_CARDS,
                f"The card {card!r} is given twice and the deck holds it once.",
                rule=_ONE_DECK,
                remedy="Correct the cards.",
            )


def check_belong(cards: Iterable[Card], deck: int) -> None:
    """Refuse a card that this deck does not hold, such as a 4 in 40 cards (HND-5)."""
    for card in cards:
        if card not in cards_of(deck):
            raise Refused(
                Kind.BAD_CARDS,
                f"The card {card!r} is not in a deck of {deck} cards, which begins at "
                f"{ranks_of(deck)[0]}.",
                rule=_DECKS,
                remedy="Correct the card or the deck.",
            )


@cache
def ranks_of(deck: int) -> tuple[Rank, ...]:
    """Ranks of a deck from the lowest to the Ace: 40 cards begin at 5, 36 at 6, 32 at 7 (HND-5)."""
    if deck not in DECK_SIZES:
        raise Refused(
            Kind.BAD_CARDS,
            f"There is no deck of {deck} cards.",
            rule=_DECKS,
            remedy="Use 52, 40, 36 or 32.",
        )
    return tuple(RankOrder.STANDARD)[-deck // SUITS :]


@cache
def cards_of(deck: int) -> frozenset[Card]:
    """Every card of a deck."""
    ranks = ranks_of(deck)
    return frozenset(card for card in Deck.STANDARD if card.rank in ranks)


def _parse_card(written: str) -> Card:
    if written not in _READINGS:
        raise Refused(
            Kind.BAD_CARDS,
            f"The card {written!r} does not exist.",
            rule=_ONE_DECK,
            remedy=_HOW_TO_WRITE,
        )
    return _READINGS[written]


# Every accepted way to write each card is listed, so that nothing else can slip through.
_READINGS = {
    f"{rank}{suit}": card
    for card in Deck.STANDARD
    for rank in (card.rank, card.rank.lower(), card.rank.replace("T", "10"))
    for suit in (card.suit, card.suit.upper())
}
