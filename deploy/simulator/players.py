"""The players: who sits at a table, who comes and goes, and who stays in a hand.

They play as the books on these games advise, more or less: what matters here is that hands are
folded for reasons of their cards, never for reasons of the jackpot's odds.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from pokerkit import Card, Rank

from deploy.simulator.dealing import Deal
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms

_ORDER = {rank: value for value, rank in enumerate("23456789TJQKA")}
_QUEEN_SIX_FOUR = [_ORDER[rank] for rank in "Q64"]
_PAIR = 2


class Players:
    """Of one table: some seats, never none."""

    def __init__(self, seats: int, dice: Random) -> None:
        self._all = range(1, seats + 1)
        self.seats = set(dice.sample(self._all, dice.randint(2, seats)))

    def come_and_go(self, chance: float, dice: Random) -> None:
        """Between rounds; the last one stays."""
        if dice.random() < chance and len(self.seats) > 1:
            self.seats.remove(dice.choice(sorted(self.seats)))
        if dice.random() < chance and len(self.seats) < len(self._all):
            self.seats.add(dice.choice([seat for seat in self._all if seat not in self.seats]))

    def free(self) -> list[int]:
        return [seat for seat in self._all if seat not in self.seats]


def folds(deal: Deal, seat: int, terms: Terms) -> bool:
    """Whether a sensible player gives the hand up; one that wins the jackpot's money stays in."""
    if terms.bonus_micros(deal.hand(seat)) or deal.show is not None:
        return False
    own = deal.own[seat]
    match deal.game.key:
        case GameKey.WSOP:
            return _too_low_for_the_flop(own)
        case GameKey.ULTIMATE:
            return not _worth_the_play_bet(own, (*deal.shared, *deal.later))
        case GameKey.THREE_CARD:
            return _below_queen_six_four(own)


def _too_low_for_the_flop(own: Sequence[Card]) -> bool:
    """A Two with a Three to a Seven of another suit."""
    low, high = sorted(_value(card) for card in own)
    suited = own[0].suit == own[1].suit
    return low == _ORDER["2"] < high <= _ORDER["7"] and not suited


def _worth_the_play_bet(own: Sequence[Card], board: Sequence[Card]) -> bool:
    """A pair with a card of one's own, a flush, or a high card."""
    ranks = Counter(card.rank for card in (*own, *board))
    suits = Counter(card.suit for card in (*own, *board))
    return (
        any(ranks[card.rank] >= _PAIR or _value(card) >= _ORDER["Q"] for card in own)
        or max(suits.values()) >= 5
    )


def _below_queen_six_four(own: Sequence[Card]) -> bool:
    values = sorted((_value(card) for card in own), reverse=True)
    suited = len({card.suit for card in own}) == 1
    paired = len(set(values)) < len(values)
    straight = not paired and (values[0] - values[2] == 2 or values == [12, 1, 0])
    return not (suited or paired or straight) and values < _QUEEN_SIX_FOUR


def _value(card: Card) -> int:
    return _ORDER[Rank(card.rank).value]
