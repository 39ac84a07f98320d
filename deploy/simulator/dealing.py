"""Real decks: shuffled and dealt as the game deals them, or stacked for a show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from random import Random

from pokerkit import Card, Deck

from meter_server.domain.cards import format_cards, parse_cards
from meter_server.domain.hands import Hand, jackpot_hand
from meter_server.domain.rulebook.games import Book, Game


class Show(StrEnum):
    """What a stacked deck deals."""

    ROYAL = "royal-flush"
    STRAIGHT_FLUSH = "straight-flush"
    ROYAL_AND_STRAIGHT_FLUSH = "royal-and-straight-flush"
    TWO_STRAIGHT_FLUSHES = "two-straight-flushes"


# The ranks of the shared cards, then of each winner's own, all of one suit.
_STACKED: Mapping[tuple[Book, Show], tuple[str, ...]] = {
    (Book.WSOP, Show.ROYAL): ("TJQ", "KA"),
    (Book.WSOP, Show.STRAIGHT_FLUSH): ("345", "A2"),
    (Book.WSOP, Show.ROYAL_AND_STRAIGHT_FLUSH): ("TJQ", "KA", "89"),
    (Book.WSOP, Show.TWO_STRAIGHT_FLUSHES): ("678", "45", "9T"),
    (Book.THREE_CARD, Show.ROYAL): ("TJ", "QKA"),
    (Book.THREE_CARD, Show.STRAIGHT_FLUSH): ("45", "A23"),
    (Book.THREE_CARD, Show.ROYAL_AND_STRAIGHT_FLUSH): ("TJ", "QKA", "789"),
    (Book.THREE_CARD, Show.TWO_STRAIGHT_FLUSHES): ("78", "456", "9TJ"),
}


@dataclass(frozen=True)
class Deal:
    game: Game
    own: Mapping[int, tuple[Card, ...]]
    shared: tuple[Card, ...]
    later: tuple[Card, ...]
    """Turn and River, which count for no jackpot and make players stay or go."""
    show: Show | None = None

    def hand(self, seat: int) -> Hand:
        """The hand on which this seat's Jackpot wager is judged."""
        counts = {"own_count": self.game.own_cards, "shared_count": self.game.shared_cards}
        return jackpot_hand(self.own[seat], self.shared, **counts)

    def own_written(self, seat: int) -> str:
        return format_cards(self.own[seat])

    @property
    def shared_written(self) -> str:
        return format_cards(self.shared)


def deal(game: Game, seats: Sequence[int], dice: Random) -> Deal:
    """One deck of 52, shuffled: own cards round the table, then the shared ones."""
    deck = list(Deck.STANDARD)
    dice.shuffle(deck)
    return _dealt(game, seats, deck, (), None)


def stacked(game: Game, seats: Sequence[int], show: Show, dice: Random) -> Deal:
    """The show's hands go to the first seats that the dice name; the others get what is left."""
    suit = dice.choice("cdhs")
    shared, *winning = (
        parse_cards(" ".join(f"{rank}{suit}" for rank in ranks))
        for ranks in _STACKED[game.book, show]
    )
    order = dice.sample(seats, len(seats))
    won = dict(zip(order, winning, strict=False))
    taken = {*shared, *(card for cards in winning for card in cards)}
    rest = [card for card in Deck.STANDARD if card not in taken]
    dice.shuffle(rest)
    others = _dealt(game, order[len(winning) :], rest, shared, show)
    return Deal(game, {**others.own, **won}, shared, others.later, show)


def winners(show: Show, game: Game) -> int:
    """How many seats a show needs."""
    return len(_STACKED[game.book, show]) - 1


def _dealt(
    game: Game,
    seats: Sequence[int],
    deck: Sequence[Card],
    shared: tuple[Card, ...],
    show: Show | None,
) -> Deal:
    cards = iter(deck)
    own = {seat: tuple(islice(cards, game.own_cards)) for seat in seats}
    shared = shared or tuple(islice(cards, game.shared_cards))
    return Deal(game, own, shared, tuple(islice(cards, 2)), show)
