"""The floor as a scenario sees it: a door to submit commands at, and books to look into.

The rules core stands behind it here; whatever else takes commands can, with the same scenarios.
"""

from dataclasses import dataclass
from typing import Protocol

from meter_server.domain.commands import Command
from meter_server.domain.deciding import decide
from meter_server.domain.entries import Entry
from meter_server.domain.floor import Floor, apply
from meter_server.domain.people import Context
from meter_server.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did, or why it did nothing."""

    entries: tuple[Entry, ...] = ()
    draining: bool = False
    refusal: Refusal | None = None


class House(Protocol):
    def submit(self, command: Command, context: Context) -> Answer: ...

    def books(self) -> Floor: ...


class Core:
    """The rules core alone."""

    def __init__(self) -> None:
        self._floor = Floor()

    def submit(self, command: Command, context: Context) -> Answer:
        decision = decide(self._floor, command, context)
        if isinstance(decision, Refusal):
            return Answer(refusal=decision)
        self._floor = apply(self._floor, decision)
        return Answer(decision.entries, decision.draining)

    def books(self) -> Floor:
        return self._floor
