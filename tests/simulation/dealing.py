"""Draws what a table may report: seats, hands and real cards."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tests.independent.transcription import BONUS, HOLDEM

Report = dict[str, Any]

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


def some(data: DataObject, seats: set[int] | list[int], least: int = 0) -> list[int]:
    ordered = sorted(seats)
    if not ordered:
        return []
    return sorted(
        data.draw(st.lists(st.sampled_from(ordered), min_size=least, unique=True), label="seats")
    )


KINDS = ("plain", "bonus", "cards", "cards", "cards", "declared", "impossible", "wrong")


def outcome(data: DataObject, game: str, live: set[int], kinds: tuple[str, ...] = KINDS) -> Report:
    """Reports of some seats, with and without a jackpot, now and then with a fault in them."""
    kind = data.draw(st.sampled_from(kinds), label="outcome")
    seats = sorted(live)
    if kind == "plain" or not seats:
        return {"hands": {}, "shared": (), "kind": "plain"}
    if kind == "bonus":
        return {"hands": _bonus(data, seats), "shared": (), "kind": kind}
    if kind == "impossible":
        return {"hands": _impossible(data, seats), "shared": (), "kind": kind}
    dealt = _with_cards(data, game, seats)
    if kind == "declared":
        dealt = {"hands": _declared(dealt["hands"], game), "shared": ()}
    if kind == "wrong":
        _spoil(data, dealt, seats)
    return {**dealt, "kind": kind}


def _bonus(data: DataObject, seats: list[int]) -> dict[int, Report]:
    return {
        seat: data.draw(
            st.sampled_from([report(hand) for hand in _OTHER_HANDS] + [report(folded=True)])
        )
        for seat in some(data, seats, 1)
    }


def _impossible(data: DataObject, seats: list[int]) -> dict[int, Report]:
    """More flushes than one deck can give, declared without cards."""
    winners = some(data, seats, 1)
    royals = data.draw(st.integers(0, min(len(winners), 5)), label="royals")
    return {
        seat: report("royal-flush" if place < royals else "straight-flush")
        for place, seat in enumerate(winners)
    }


def _with_cards(data: DataObject, game: str, seats: list[int]) -> Report:
    deals = _HOLDEM_DEALS if game in HOLDEM else _THREE_CARD_DEALS
    possible = [split for split in deals if sum(split) <= len(seats)]
    shared, owns = deals[data.draw(st.sampled_from(possible), label="split")]
    suit = data.draw(st.sampled_from("cdhs"), label="suit")
    order = data.draw(st.permutations(seats), label="who wins")
    hands = {
        seat: report(cards=tuple(f"{rank}{suit}" for rank in own))
        for seat, own in zip(order, owns, strict=False)
    }
    others = order[len(owns) :]
    beside = [report("flush"), report("full-house"), report("straight-flush", folded=True)]
    if others:
        hands[others[0]] = data.draw(st.sampled_from(beside), label="beside them")
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


def _spoil(data: DataObject, dealt: Report, seats: list[int]) -> None:
    """One fault: a card twice, too few cards, another hand named, or a seat without a wager."""
    hands = dealt["hands"]
    seat = min(seat for seat, held in hands.items() if held["cards"])
    fault = data.draw(st.sampled_from(["twice", "few", "other", "seat"]), label="fault")
    if fault == "twice":
        hands[seat] = report(cards=(dealt["shared"][0], *hands[seat]["cards"][1:]))
    elif fault == "few":
        hands[seat] = report(cards=hands[seat]["cards"][:1])
    elif fault == "other":
        hands[seat] = report("full-house", hands[seat]["cards"])
    else:
        hands[max(seats) + 1] = report("flush")
