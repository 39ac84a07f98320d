"""Counts what the random floors have met, so that nothing goes untried unnoticed."""

from collections import Counter

from meter_server.domain.entries import EntryKind
from meter_server.domain.refusals import Kind
from tests.independent.model import REQUESTS
from tests.independent.transcription import CASES

CHANGES = ("add", "remove", "transfer", "close", "terms", "minimum")


class Coverage:
    def __init__(self) -> None:
        self.met: Counter[tuple[str, ...]] = Counter()

    def meet(self, *what: str) -> None:
        self.met[what] += 1

    def never_met(self) -> list[str]:
        return [" ".join(what) for what in EVERYTHING if not self.met[what]]

    def report(self) -> str:
        lines = [f"{self.met[what]:>9,}  {' '.join(what)}" for what in EVERYTHING]
        return "\n".join(["   times  what the random floors met", *lines])


EVERYTHING: list[tuple[str, ...]] = [
    *(("accepted", request) for request in REQUESTS),
    *(("made", change) for change in CHANGES),
    *(("case", case, game) for case, rulings in CASES.items() for game in rulings),
    *(("entry", kind.value) for kind in EntryKind),
    *(("taken back by", correction) for correction in ("settlement", "void", "order")),
    ("granted beside a paid top-up",),
    *(("refused", kind.value) for kind in Kind),
]
