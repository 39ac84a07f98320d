"""Names a five-card hand by counting, from text such as "As"."""

from collections import Counter
from collections.abc import Sequence

RANKS = "23456789TJQKA"
JACKPOT = ("royal-flush", "straight-flush")


def name(cards: Sequence[str]) -> str:
    suited = len({card[1] for card in cards}) == 1
    places = sorted(RANKS.index(card[0]) for card in cards)
    shape = sorted(Counter(places).values(), reverse=True)
    low_ace = places == [0, 1, 2, 3, 12]
    run = low_ace or (len(shape) == 5 and places[4] - places[0] == 4)
    if suited and run:
        return "royal-flush" if places[0] == RANKS.index("T") else "straight-flush"
    if suited:
        return "flush"
    if run:
        return "straight"
    return {
        (4, 1): "four-of-a-kind",
        (3, 2): "full-house",
        (3, 1, 1): "three-of-a-kind",
        (2, 2, 1): "two-pair",
        (2, 1, 1, 1): "one-pair",
    }.get(tuple(shape), "no-pair")
