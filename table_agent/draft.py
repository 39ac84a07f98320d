"""What the dealer has tapped and not yet sent: chosen seats, declared hands, a misdeal.

It belongs to one place in the table's life and is thrown away at any other, so that nothing tapped
for one round can be sent for the next.
"""

from dataclasses import dataclass, field, replace
from typing import Self

from meter_server.contract.device.link import Json
from meter_server.contract.messages import HandReport


@dataclass(frozen=True, slots=True)
class Draft:
    place: str
    seats: frozenset[int]
    hands: dict[int, HandReport] = field(default_factory=dict)
    shared_cards: str = ""
    despite: str | None = None
    """The misdeal despite which the jackpot is settled (A-20)."""

    def with_seat(self, seat: int, *, lit: bool) -> Self:
        return replace(self, seats=self.seats | {seat} if lit else self.seats - {seat})

    def with_seats(self, seats: frozenset[int]) -> Self:
        return replace(self, seats=seats)

    def with_hand(self, report: HandReport) -> Self:
        """What is declared of a seat; nothing at all takes the seat out again."""
        hands = {seat: held for seat, held in self.hands.items() if seat != report.seat}
        if report.hand is not None or report.cards or report.folded:
            hands[report.seat] = report
        return replace(self, hands=dict(sorted(hands.items())))

    def with_shared_cards(self, cards: str) -> Self:
        return replace(self, shared_cards=cards)

    def settling(self, case: str) -> Self:
        return replace(self, despite=case)

    def without_hands(self) -> Self:
        return replace(self, hands={}, shared_cards="")

    def cleared(self) -> Self:
        return replace(self.without_hands(), despite=None)

    def to_json(self) -> Json:
        return {
            "place": self.place,
            "seats": sorted(self.seats),
            "hands": [report.model_dump(mode="json") for report in self.hands.values()],
            "shared_cards": self.shared_cards,
            "despite": self.despite,
        }

    @classmethod
    def from_json(cls, kept: Json) -> Self:
        reports = [HandReport.model_validate(one) for one in kept["hands"]]
        return cls(
            kept["place"],
            frozenset(kept["seats"]),
            {one.seat: one for one in reports},
            kept["shared_cards"],
            kept.get("despite"),  # an agent before this one kept none
        )
