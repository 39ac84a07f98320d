"""What would have been: a meter's history run again from one settlement on (A-38, A-58).

Credits, reversals, transfers and corrections stand as recorded; settlements are worked out again at
the value the meter would have had, and the seed is guarded as it is in life.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meter_server.domain.entries import Entry, EntryKind
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import readings_from_label
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement, settle


@dataclass(frozen=True, slots=True)
class Recorded:
    """A settlement as the journal has it."""

    round_id: str
    statement: Mapping[str, Any]

    @property
    def meter_micros(self) -> int:
        return int(self.statement["meter"])

    @property
    def after_micros(self) -> int:
        return int(self.statement["after"])

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


def steps(history: Iterable[Entry]) -> list[Step]:
    """A history as settlements and amounts; the prizes and resets are the settlements' own."""
    found: list[Step] = []
    for entry in history:
        match entry.kind:
            case EntryKind.SETTLEMENT:
                statement: Any = entry.detail["statement"]
                found.append(Recorded(str(entry.round_id), statement))
            case EntryKind.RESET:
                pass
            case EntryKind.PRIZE if "top_up_of" not in entry.detail:
                pass
            case _:
                found.append(entry.amount_micros)
    return found


def prizes_after(
    history: Sequence[Entry], round_id: str, after_micros: int
) -> dict[str, Statement]:
    """Every later settlement with prizes, had this round left the meter at another value (A-58)."""
    from_round = steps(_from_round(history, round_id))
    first = from_round[0]
    assert isinstance(first, Recorded)  # noqa: S101 - _from_round begins at the settlement.
    value, seed = after_micros, first.reset_to_micros
    found: dict[str, Statement] = {}
    for step in from_round[1:]:
        if isinstance(step, Recorded):
            seed = step.reset_to_micros
            statement = step.again(value)
            value = statement.meter_after_micros
            if statement.paid_micros:
                found[step.round_id] = statement
        else:
            value = max(value + step, seed)
    return found


@dataclass(frozen=True, slots=True)
class OtherOrder:
    """Two settlements in the order they were not committed in."""

    second_first: Statement
    first_second: Statement
    end_micros: int
    recorded_end_micros: int


def in_other_order(
    history: Sequence[Entry], first_round_id: str, second_round_id: str
) -> OtherOrder:
    """The amounts had the second round been recorded just before the first (A-38)."""
    between = steps(_from_round(history, first_round_id))
    first, *rest = between
    place = next(
        place
        for place, step in enumerate(rest)
        if isinstance(step, Recorded) and step.round_id == second_round_id
    )
    second = rest[place]
    assert isinstance(first, Recorded) and isinstance(second, Recorded)  # noqa: S101, PT018
    second_first = second.again(first.meter_micros)
    first_second = first.again(second_first.meter_after_micros)
    value = first_second.meter_after_micros
    for step in rest[:place]:
        moved = step.after_micros - step.meter_micros if isinstance(step, Recorded) else step
        value = max(value + moved, second.reset_to_micros)
    return OtherOrder(second_first, first_second, value, second.after_micros)


def _from_round(history: Sequence[Entry], round_id: str) -> Sequence[Entry]:
    start = next(
        place
        for place, entry in enumerate(history)
        if entry.kind is EntryKind.SETTLEMENT and entry.round_id == round_id
    )
    return history[start:]
