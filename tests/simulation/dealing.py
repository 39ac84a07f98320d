"""Draws what a table may report: seats, hands and real cards."""

from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar

from tests.independent.transcription import BONUS, HOLDEM

Report = dict[str, Any]
Thing = TypeVar("Thing", int, str)

# Ranks of the shared cards, and of each winner's own, all in one suit.
_HOLDEM_DEALS = {
    (1, 0): ("TJQ", ["KA"]),
    (0, 1): ("345", ["A2"]),
    (1, 1): ("TJQ", ["KA", "89"]),
    (0, 2): ("678", ["45", "9T"]),
}
_THREE_CARD_DEALS = {
    (1, 0): ("TJ", ["QKA"]),
    (0, 1): ("45", ["A23"]),
    (1, 1): ("TJ", ["QKA", "789"]),
    (0, 2): ("78", ["456", "9TJ"]),
}
_OTHER_HANDS = [*BONUS[2], "two-pair", "no-pair"]


def report(hand: str | None = None, cards: tuple[str, ...] = (), *, folded: bool = False) -> Report:
    return {"hand": hand, "cards": cards, "folded": folded}


def yes(dice: Random) -> bool:
    return dice.random() < 0.5


def some(dice: Random, things: Iterable[Thing], least: int = 0, most: int = 99) -> list[Thing]:
    """Some of the things, in order."""
    ordered = sorted(things)
    least, most = min(least, len(ordered)), min(most, len(ordered))
    return sorted(dice.sample(ordered, dice.randint(least, most)))


KINDS = ("plain", "bonus", "cards", "cards", "cards", "declared", "impossible", "wrong")


def outcome(dice: Random, game: str, live: set[int], kinds: tuple[str, ...] = KINDS) -> Report:
    """Reports of some seats, with and without a jackpot, now and then with a fault in them."""
    kind = dice.choice(kinds)
    seats = sorted(live)
    if kind == "plain" or not seats:
        return {"hands": {}, "shared": (), "kind": "plain"}
    if kind == "bonus":
        return {"hands": _bonus(dice, seats), "shared": (), "kind": kind}
    if kind == "impossible":
        return {"hands": _impossible(dice, seats), "shared": (), "kind": kind}
    dealt = _with_cards(dice, game, seats)
    if kind == "declared":
        dealt = {"hands": _declared(dealt["hands"], game), "shared": ()}
    if kind == "wrong":
        _spoil(dice, dealt, seats)
    return {**dealt, "kind": kind}


def _bonus(dice: Random, seats: list[int]) -> dict[int, Report]:
    return {
        seat: dice.choice([report(hand) for hand in _OTHER_HANDS] + [report(folded=True)])
        for seat in some(dice, seats, 1)
    }


def _impossible(dice: Random, seats: list[int]) -> dict[int, Report]:
    """More flushes than one deck can give, declared without cards."""
    winners = some(dice, seats, 1)
    royals = dice.randint(0, min(len(winners), 5))
    return {
        seat: report("royal-flush" if place < royals else "straight-flush")
        for place, seat in enumerate(winners)
    }


def _with_cards(dice: Random, game: str, seats: list[int]) -> Report:
    deals = _HOLDEM_DEALS if game in HOLDEM else _THREE_CARD_DEALS
    possible = [split for split in deals if sum(split) <= len(seats)]
    shared, owns = deals[dice.choice(possible)]
    suit = dice.choice("cdhs")
    order = dice.sample(seats, len(seats))
    hands = {
        seat: report(cards=tuple(f"{rank}{suit}" for rank in own))
        for seat, own in zip(order, owns, strict=False)
    }
    others = order[len(owns) :]
    beside = [report("flush"), report("full-house"), report("straight-flush", folded=True)]
    if others:
        hands[others[0]] = dice.choice(beside)
    return {"hands": hands, "shared": tuple(f"{rank}{suit}" for rank in shared)}


def _declared(hands: dict[int, Report], game: str) -> dict[int, Report]:
    """The same winners by word alone."""
    royal = "QKA" if game not in HOLDEM else "KA"
    return {
        seat: held
        if not held["cards"]
        else report(
            "royal-flush"
            if "".join(card[0] for card in held["cards"]) == royal
            else "straight-flush"
        )
        for seat, held in hands.items()
    }


def _spoil(dice: Random, dealt: Report, seats: list[int]) -> None:
    """One fault: a card twice, too few cards, another hand named, or a seat without a wager."""
    hands = dealt["hands"]
    seat = min(seat for seat, held in hands.items() if held["cards"])
    fault = dice.choice(["twice", "few", "other", "seat"])
    if fault == "twice":
        hands[seat] = report(cards=(dealt["shared"][0], *hands[seat]["cards"][1:]))
    elif fault == "few":
        hands[seat] = report(cards=hands[seat]["cards"][:1])
    elif fault == "other":
        hands[seat] = report("full-house", hands[seat]["cards"])
    else:
        hands[max(seats) + 1] = report("flush")
