"""Recording outcomes: which hands count, what they win, and whose order is in doubt."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from tests.independent.hands import JACKPOT, name
from tests.independent.places import shut
from tests.independent.state import Award, Floor, Reasons, Request, Round, behind, may, needs
from tests.independent.transcription import (
    CASES,
    DEALER,
    HIGHER,
    HOLDEM,
    ONE_DECK,
    provided,
)
from tests.independent.wagers import paper_faults


@dataclass
class Judged:
    hands: dict[int, str]
    folded: set[int]
    shown: set[int]
    """Whose cards were told."""

    @property
    def winners(self) -> dict[int, str]:
        return {seat: hand for seat, hand in self.hands.items() if hand in JACKPOT}

    @property
    def counted(self) -> tuple[int, int]:
        kinds = Counter(self.hands.values())
        return kinds[JACKPOT[0]], kinds[JACKPOT[1]]

    def bonus(self, round_: Round) -> Decimal:
        return sum((round_.terms.bonus(hand) for hand in self.hands.values()), Decimal())


def record(floor: Floor, request: Request) -> Reasons:
    round_ = floor.rounds.get(request["round"])
    if round_ is None:
        return {"unknown"}
    table = floor.tables[round_.table]
    found = needs(request, DEALER) | paper_faults(table, request) | ended(round_)
    if round_.on_paper:
        found.discard("manual-not-declared")
    if (round_.on_paper and request["paper"] is None) or (
        request["paper"] is not None and request["agent_at"] is None
    ):
        found.add("manual-on-paper")
    if request["case"] is not None:
        effect = CASES.get(request["case"], {}).get(round_.game)
        if effect is None or effect.what != "settle":
            found.add("case-not-provided")
        elif not may(request, effect.rank):
            found.add("not-authorised")
    faults, judged = judge(round_, round_.seats("live"), request)
    found |= faults
    if found:
        return found
    bonus = judged.bonus(round_)
    floor.books.write(
        "settled", round_.system, request["round"], round_.terms, judged.winners, bonus
    )
    write_down(round_, judged)
    round_.state, round_.agent_at = "settled", request["agent_at"]
    round_.behind = behind(request)
    award(floor, request["round"], judged)
    table.playing = None
    if table.hands_left is not None:
        table.hands_left -= 1
        if table.hands_left == 0:
            shut(floor, table)
    return set()


def ended(round_: Round) -> Reasons:
    if round_.state == "registered":
        return set()
    return {"round-carried" if round_.state == "carried" else "round-ended"}


def write_down(round_: Round, judged: Judged) -> None:
    for seat, place in round_.places.items():
        place.hand = judged.hands.get(seat)
        place.by_cards = seat in judged.shown
        if seat in judged.folded:
            place.state = "folded"


def judge(round_: Round, eligible: set[int], request: Request) -> tuple[Reasons, Judged]:
    """Cards decide where they are given; a folded hand, or one without a wager, counts nothing."""
    found: Reasons = set()
    judged = Judged({}, set(), set())
    own = 2 if round_.game in HOLDEM else 3
    reports, shared = request["hands"], request["shared"]
    if set(reports) - eligible:
        found.add("seat-without-wager")
    seen = Counter([*shared, *(card for report in reports.values() for card in report["cards"])])
    if any(times > 1 for times in seen.values()) or len(shared) not in (0, 5 - own):
        found.add("bad-cards")
    if any(len(report["cards"]) not in (0, own) for report in reports.values()):
        found.add("bad-cards")
    for seat, report in sorted(reports.items()):
        if report["folded"]:
            judged.folded.add(seat)
            continue
        hand = report["hand"]
        if report["cards"]:
            if (len(report["cards"]), len(shared)) != (own, 5 - own):
                found.add("bad-cards")
                continue
            hand = name([*report["cards"], *shared])
            judged.shown.add(seat)
            if report["hand"] not in (None, hand):
                found.add("hand-not-as-cards")
        if hand is not None:
            judged.hands[seat] = hand
    return found | _doubts(round_, judged, request), judged


def _doubts(round_: Round, judged: Judged, request: Request) -> Reasons:
    found: Reasons = set()
    confirmed = may(request, HIGHER)
    if not provided(round_.game, *judged.counted):
        found.add("split-not-provided")
    if not confirmed and any(not request["hands"][seat]["cards"] for seat in judged.winners):
        found.add("cards-needed")
    if not confirmed and judged.counted not in ONE_DECK:
        found.add("split-not-possible")
    return found


def award(floor: Floor, round_id: str, judged: Judged) -> None:
    round_ = floor.rounds[round_id]
    result = floor.meter(round_.system).settled[round_id].result
    for seat, hand in judged.winners.items():
        new = Award(
            round_id, round_.system, seat, hand, result.each(hand), round_.behind, round_.agent_at
        )
        contest(floor, new)
        floor.awards[f"{round_id}/{seat}"] = new


def contest(floor: Floor, new: Award) -> None:
    """Two prizes of a meter of which the one that counts later was won earlier, by the clocks.

    Not where somebody has decided about the two before.
    """
    turns = floor.meter(new.system).in_turn()
    for other in floor.awards.values():
        if other.system != new.system or other.round == new.round or other.state == "voided":
            continue
        if any({new.round, other.round} <= both for both in floor.decided):
            continue
        first, last = sorted((new, other), key=lambda prize: turns.index(prize.round))
        if first.agent_at is None or last.agent_at is None or first.agent_at <= last.agent_at:
            continue
        new.contested.add(other.round)
        if other.state != "paid":
            other.contested.add(new.round)
