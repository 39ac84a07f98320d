"""What would have been: a meter's history run again from one settlement on (A-38, A-58).

Credits, reversals, transfers and corrections stand as recorded; settlements are worked out again at
the value the meter would have had, and the seed is guarded as it is in life.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meter_server.domain.entries import Entry, EntryKind
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import readings_from_label
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement, settle
from meter_server.domain.statements import statement_json


@dataclass(frozen=True, slots=True)
class Recorded:
    """A settlement as the journal has it."""

    round_id: str
    statement: Mapping[str, Any]

    @property
    def reset_to_micros(self) -> int:
        return int(self.statement["reset_to"])

    def again(self, meter_micros: int) -> Statement:
        """The same hands, settled at another value of the meter."""
        recorded = self.statement
        return settle(
            GAMES[GameKey(recorded["game"])],
            Terms(recorded["option"], recorded["seed"], recorded["cost_cents"]),
            meter_micros,
            recorded["royals"],
            recorded["straight_flushes"],
            readings=readings_from_label(recorded["readings"]),
            reset_to_micros=recorded["reset_to"],
        )


Step = Recorded | int
"""A settlement, or an amount that moved the meter whatever it stood at."""


def steps(history: Sequence[Entry]) -> list[Step]:
    """A history as settlements and amounts; the prizes and resets are the settlements' own.

    A settlement that was put right stands as it was put right, at its own place; what its
    correction moved later is not counted again.
    """
    settled = {entry.round_id for entry in history if entry.kind is EntryKind.SETTLEMENT}
    corrected = {
        entry.round_id: entry.detail.get("statement")
        for entry in history
        if _is_resettlement(entry) and entry.round_id in settled
    }
    found: list[Step] = []
    for entry in history:
        match entry.kind:
            case EntryKind.SETTLEMENT:
                statement: Any = corrected.get(entry.round_id, entry.detail["statement"])
                if statement is not None:
                    found.append(Recorded(str(entry.round_id), statement))
            case EntryKind.RESET:
                pass
            case EntryKind.PRIZE if "top_up_of" not in entry.detail:
                pass
            case EntryKind.CORRECTION if _is_resettlement(entry) and entry.round_id in settled:
                pass
            case _:
                found.append(entry.amount_micros)
    return found


def _is_resettlement(entry: Entry) -> bool:
    """A void leaves no statement behind, a correction its own."""
    return entry.kind is EntryKind.CORRECTION and entry.detail["what"] in ("settlement", "void")


def prizes_after(
    history: Sequence[Entry], round_id: str, after_micros: int
) -> dict[str, Statement]:
    """Every later settlement with prizes, had this round left the meter at another value (A-58)."""
    from_round = _from_round(history, round_id)
    statement: Any = from_round[0].detail["statement"]
    value, seed = after_micros, int(statement["reset_to"])
    found: dict[str, Statement] = {}
    for step in steps(from_round):
        if isinstance(step, Recorded) and step.round_id != round_id:
            seed = step.reset_to_micros
            again = step.again(value)
            value = again.meter_after_micros
            if again.paid_micros:
                found[step.round_id] = again
        elif isinstance(step, int):
            value = max(value + step, seed)
    return found


@dataclass(frozen=True, slots=True)
class Reordered:
    """Settlements in another order than they were committed in."""

    statements: Mapping[str, Statement]
    moved_micros: int
    """How much higher the meter ends; whatever lies between them stands as recorded."""


def in_order(committed: Mapping[str, Statement], order: Sequence[str]) -> Reordered:
    """The amounts had the rounds been recorded in this order (A-38).

    ``committed`` has them in the order they were committed in. A round that came late counts just
    before the first committed one that it precedes; that one stays where it is.
    """
    places = {round_id: place for place, round_id in enumerate(committed)}
    counted_at = {
        round_id: min(places[later] for later in order[position:])
        for position, round_id in enumerate(order)
    }
    statements: dict[str, Statement] = {}
    moved = 0
    for place, recorded in enumerate(committed.values()):
        value = recorded.meter_micros + moved
        for round_id in order:
            if counted_at[round_id] == place:
                statements[round_id] = _again(committed[round_id], value)
                value = statements[round_id].meter_after_micros
        moved = value - recorded.meter_after_micros
    return Reordered(statements, moved)


def _again(statement: Statement, meter_micros: int) -> Statement:
    return Recorded("", statement_json(statement)).again(meter_micros)


def _from_round(history: Sequence[Entry], round_id: str) -> Sequence[Entry]:
    start = next(
        place
        for place, entry in enumerate(history)
        if entry.kind is EntryKind.SETTLEMENT and entry.round_id == round_id
    )
    return history[start:]
