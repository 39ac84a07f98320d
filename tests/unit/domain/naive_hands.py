"""A second, slow way to name and compare hands, written from the rules and not from the product.

Cards are text such as "As". It shares no code with the product and none with its library.
"""

from collections import Counter

RANKS = "23456789TJQKA"
SUITS = "cdhs"

ORDER_52 = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "one-pair",
    "no-pair",
)
ORDER_STRIPPED = (*ORDER_52[:3], "flush", "full-house", *ORDER_52[5:])

BY_REPEATS = {
    (4, 1): "four-of-a-kind",
    (3, 2): "full-house",
    (3, 1, 1): "three-of-a-kind",
    (2, 2, 1): "two-pair",
    (2, 1, 1, 1): "one-pair",
    (1, 1, 1, 1, 1): "no-pair",
}


def deck_of(size: int) -> list[str]:
    return [rank + suit for rank in RANKS[-size // 4 :] for suit in SUITS]


def order(size: int) -> tuple[str, ...]:
    return ORDER_52 if size == 52 else ORDER_STRIPPED


def name(cards: list[str], size: int = 52) -> str:
    flush = len({card[1] for card in cards}) == 1
    top = straight_top(cards, size)
    if flush and top:
        return "royal-flush" if top == "A" else "straight-flush"
    if flush:
        return "flush"
    if top:
        return "straight"
    repeats = Counter(card[0] for card in cards).values()
    return BY_REPEATS[tuple(sorted(repeats, reverse=True))]


def straight_top(cards: list[str], size: int) -> str:
    """The highest rank of the run, empty where there is none."""
    held = {card[0] for card in cards}
    ranks = RANKS[-size // 4 :]
    for lowest in range(len(ranks) - 4):
        if held == set(ranks[lowest : lowest + 5]):
            return ranks[lowest + 4]
    return ranks[3] if held == {"A", *ranks[:4]} else ""


def worth(cards: list[str], size: int = 52) -> tuple[int, ...]:
    """Greater beats, equal ties."""
    category = -order(size).index(name(cards, size))
    if top := straight_top(cards, size):
        return category, RANKS.index(top)
    repeats = Counter(RANKS.index(card[0]) for card in cards)
    by_weight = sorted(repeats, key=lambda rank: (repeats[rank], rank), reverse=True)
    return category, *by_weight
