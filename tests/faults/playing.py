"""What happens at a table: rounds with everything that a Dealer may record alone."""

import random
from collections.abc import Iterator
from itertools import count

from tests.faults.kept import Json

SEATS = range(1, 8)
FLOP = "Td Jd Qd"
ROYAL, STRAIGHT_FLUSH = ("royal-flush", "Ad Kd"), ("straight-flush", "9d 8d")
BONUS_HANDS = ("four-of-a-kind", "full-house", "flush", "straight")


def commands(began: str, table: str, cost_cents: int, chance: random.Random) -> Iterator[Json]:
    """Endless rounds; the wagers of a misdeal stand for the next one, with the same seats."""
    carried: list[int] = []
    for number in count(1):
        round_id = f"{began}/{number}"
        seats = carried or sorted(chance.sample(SEATS, chance.randint(1, len(SEATS))))
        wrong = chance.random() < 0.02
        yield {
            "kind": "register-wagers",
            "round": round_id,
            "table": table,
            "seats": seats,
            "cost_cents": cost_cents + wrong,
        }
        if wrong:
            continue  # The rules refuse it, and its number is consumed.
        carried = []
        if chance.random() < 0.04:
            yield _irregularity(table, "community-cards-early")
        if chance.random() < 0.03:
            carried = seats
            yield _irregularity(table, "card-exposed")
        else:
            yield _outcome(round_id, seats[0], chance)


def _irregularity(table: str, case: str) -> Json:
    return {
        "kind": "declare-irregularity",
        "table": table,
        "case": case,
        "seats": [],
        "joining": [],
        "reason": "",
    }


def _outcome(round_id: str, seat: int, chance: random.Random) -> Json:
    hands, shared = [], ""
    drawn = chance.random()
    if drawn < 0.008:
        hand, cards = ROYAL if drawn < 0.003 else STRAIGHT_FLUSH
        hands, shared = [_hand(seat, hand, cards)], FLOP
    elif drawn < 0.2:
        hands = [_hand(seat, chance.choice(BONUS_HANDS), "")]
    return {
        "kind": "record-outcome",
        "round": round_id,
        "hands": hands,
        "shared_cards": shared,
        "case": None,
    }


def _hand(seat: int, hand: str, cards: str) -> Json:
    return {"seat": seat, "hand": hand, "cards": cards, "folded": False}
