"""Which royals and straight flushes can happen at once with one deck of 52 cards (A-28)."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations

from pokerkit import Rank

from meter_server.domain.cards import FULL_DECK, ranks_of
from meter_server.domain.hands import HAND_SIZE

Split = tuple[int, int]
"""How many royals and how many straight flushes win in one round: (R, S)."""

Run = frozenset[Rank]
_ROYAL = frozenset(ranks_of(FULL_DECK)[-HAND_SIZE:])


def reachable(own_count: int, shared_count: int, royals: int, straight_flushes: int) -> bool:
    """Whether one deck can give these winners in one round of such a game (A-28)."""
    return (royals, straight_flushes) in possible_splits(own_count, shared_count)


@cache
def possible_splits(own_count: int, shared_count: int) -> frozenset[Split]:
    """Every (R, S) that can happen, whatever the number of seats (A-28).

    Each winning hand holds all shared cards, so all winners are in one suit and only its ranks
    matter; two winners need own cards that do not overlap. Every choice of shared ranks and every
    set of winners is tried.
    """
    if shared_count < 1 or own_count + shared_count != HAND_SIZE:
        raise ValueError("A jackpot hand is five cards, at least one of them shared.")
    return frozenset(
        _split(winners)
        for shared in combinations(ranks_of(FULL_DECK), shared_count)
        for winners in _sets_of_winners(frozenset(shared))
    )


def _runs() -> Iterator[Run]:
    """The ten runs of five, from the Ace low to the royal (HND-2)."""
    ace_low_to_high = (Rank.ACE, *ranks_of(FULL_DECK))
    for lowest in range(len(ace_low_to_high) - HAND_SIZE + 1):
        yield frozenset(ace_low_to_high[lowest : lowest + HAND_SIZE])


def _sets_of_winners(shared: Run) -> Iterator[tuple[Run, ...]]:
    """Every set of runs, the empty one too, that these shared cards and one suit can make."""
    runs = [run for run in _runs() if shared <= run]
    choices = chain.from_iterable(combinations(runs, size) for size in range(len(runs) + 1))
    return (winners for winners in choices if _own_cards_differ(winners, shared))


def _own_cards_differ(winners: Sequence[Run], shared: Run) -> bool:
    own_cards = [rank for run in winners for rank in run - shared]
    return len(own_cards) == len(set(own_cards))


def _split(winners: Sequence[Run]) -> Split:
    royals = winners.count(_ROYAL)
    return royals, len(winners) - royals
