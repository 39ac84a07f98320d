"""The printed tables, copied a second time by hand from the rules documents."""

from typing import NamedTuple

HOLDEM = ("wsop", "ultimate")
GAMES = (*HOLDEM, "three-card")
SEATS_MOST = 9

# Initial seed for each $1, and the percentage of each wager that goes to the meter.
PERCENT = {
    1: {
        10_000: "34.06",
        20_000: "32.51",
        30_000: "30.94",
        40_000: "29.36",
        50_000: "27.76",
        60_000: "26.12",
        75_000: "23.50",
    },
    2: {
        10_000: "31.02",
        20_000: "29.47",
        30_000: "27.90",
        40_000: "26.32",
        50_000: "24.70",
        60_000: "23.02",
        75_000: "20.28",
    },
}

# Dollars for each $1 of Jackpot wager.
BONUS = {
    1: {"four-of-a-kind": 500, "full-house": 150, "flush": 100},
    2: {"four-of-a-kind": 600, "full-house": 100, "flush": 60, "straight": 40},
}

# What one deck can give, and all that the Holdem document provides for.
ONE_DECK = {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}


def provided(game: str, royals: int, straight_flushes: int) -> bool:
    """Three Card prints columns to four royals and rows to seven straight flushes."""
    if game in HOLDEM:
        return (royals, straight_flushes) in ONE_DECK
    return royals <= 4 and straight_flushes <= 7 and royals + straight_flushes <= SEATS_MOST


DEALER, HIGHER, AREA, ASSISTANT = "dealer", "higher-duties", "area-manager", "assistant"
LADDER = (DEALER, HIGHER, AREA, ASSISTANT)


class Effect(NamedTuple):
    """What a case does to the Jackpot wagers, and the least rank that may declare it."""

    what: str
    rank: str


def _holdem(what: str, rank: str) -> dict[str, Effect]:
    return dict.fromkeys(HOLDEM, Effect(what, rank))


def _three_card(what: str, rank: str) -> dict[str, Effect]:
    return {"three-card": Effect(what, rank)}


def _all(what: str, rank: str) -> dict[str, Effect]:
    return dict.fromkeys(GAMES, Effect(what, rank))


CASES: dict[str, dict[str, Effect]] = {
    "card-exposed": _holdem("carry", DEALER) | _three_card("play on", DEALER),
    "cards-exposed": _all("carry", DEALER),
    "wrong-cards": _holdem("carry", AREA) | _three_card("carry", HIGHER),
    "wrong-cards-late-count-wrong": _three_card("carry", HIGHER),
    "wrong-cards-late-count-right": _three_card("regroup", HIGHER),
    "flop-wrong": _holdem("carry", HIGHER),
    "later-cards-wrong": _holdem("settle", HIGHER) | _three_card("carry", HIGHER),
    "dealer-cards-wrong-before-flop": {"ultimate": Effect("carry", HIGHER)},
    "wager-not-registered": _all("regroup", HIGHER),
    "order-determined": _all("play on", HIGHER),
    "cards-without-wager": _holdem("carry", HIGHER) | _three_card("carry", DEALER),
    "cards-without-wager-late": _holdem("regroup", HIGHER) | _three_card("regroup", DEALER),
    "cards-taken": _all("regroup", DEALER),
    "community-cards-early": _holdem("play on", DEALER),
    "deck-wrong": _all("carry", HIGHER),
    "subsequent-wager-short": _holdem("carry hands", DEALER) | _three_card("regroup", DEALER),
    "subsequent-wager-wrong": _all("play on", DEALER),
    "other-hand-viewed": _all("play on", HIGHER),
    "extra-hands-viewed": _holdem("carry hands", HIGHER) | _three_card("regroup", HIGHER),
    "retracted-after-viewing": _all("regroup", HIGHER),
    "misdeal": _holdem("carry", AREA) | _three_card("carry", HIGHER),
    "misdeal-player-leaves": _all("cancel carried", DEALER),
    "misdeal-player-joins": _all("cancel carried", DEALER),
    "begun-by-mistake": _all("refund", HIGHER),
    "not-acknowledged": _all("refund", DEALER),
    "jackpot-cards-wrong": _three_card("refund", HIGHER),
    "mixed-with-dealer": _three_card("carry", HIGHER),
    "shuffler-count-wrong": _all("carry", HIGHER),
    "invalidated-disruption": _all("refund", HIGHER),
    "invalidated-fraud": _holdem("refund", HIGHER) | _three_card("refund", ASSISTANT),
    "wager-void": _all("regroup", ASSISTANT),
    "information-exchanged": _holdem("play on", ASSISTANT) | _three_card("forfeit", ASSISTANT),
}

# Where the documents say so: the rules of WSOP, and of Three Card. A case that only Ultimate has
# names the rule that it inherits and the one that makes it possible.
RULES_OF_CASES: dict[str, tuple[str, str]] = {
    "card-exposed": ("11.1", "11.1"),
    "cards-exposed": ("11.1", "11.2, 11.3"),
    "wrong-cards": ("11.2", "11.4"),
    "wrong-cards-late-count-wrong": ("", "11.5.1"),
    "wrong-cards-late-count-right": ("", "11.5.2"),
    "flop-wrong": ("11.3.2", ""),
    "later-cards-wrong": ("11.4.2", "11.6.2"),
    "dealer-cards-wrong-before-flop": ("11.4.2, 12.5.1", ""),
    "wager-not-registered": ("9.2.3", "6.2.3"),
    "order-determined": ("11.3.1, 11.4.1", "11.6.1"),
    "cards-without-wager": ("11.5", "11.7"),
    "cards-without-wager-late": ("11.6.1", "11.8.1"),
    "cards-taken": ("11.7.3", "11.10.3"),
    "community-cards-early": ("11.8", ""),
    "deck-wrong": ("11.9", "11.12"),
    "subsequent-wager-short": ("11.10", "11.13"),
    "subsequent-wager-wrong": ("11.11", "11.14"),
    "other-hand-viewed": ("11.12.1", "11.11.1"),
    "extra-hands-viewed": ("11.12.2", "11.11.2"),
    "retracted-after-viewing": ("11.12.2(a)", "11.11.2(a)"),
    "misdeal": ("11.13", "11.15"),
    "misdeal-player-leaves": ("11.13.1", "11.15.1"),
    "misdeal-player-joins": ("11.13.2", "11.15.2"),
    "begun-by-mistake": ("11.14", "11.18"),
    "not-acknowledged": ("9.2.1", "6.2.1"),
    "jackpot-cards-wrong": ("", "11.9, 11.17"),
    "mixed-with-dealer": ("", "11.16, 11.6.2"),
    "shuffler-count-wrong": ("11.16", "11.20"),
    "invalidated-disruption": ("14.3.1, 14.4", "13.4, 13.5"),
    "invalidated-fraud": ("14.3.2, 14.4", "13.3, 13.5"),
    "wager-void": ("14.2.1", "13.2.1"),
    "information-exchanged": ("7.4.1(a)", "9.5.1(a)"),
}

# The one case that lights wagers nobody registered; all others only give wagers back.
ADMITS = "wager-not-registered"
INVALIDATING = ("invalidated-disruption", "invalidated-fraud")

MINUTE = 60 * 1_000_000
SIGN_PERIOD = 20 * MINUTE
TERMS_PERIOD = 24 * 60 * MINUTE
SIGN_LIFE = 24 * 60 * MINUTE
DARK_ALLOWED = MINUTE
CLOSING_HANDS = 3
