"""What would have been: a meter's history run again, with every outcome as it stands now (A-58).

Credits, reversals, transfers and extras stand as recorded. Every settlement is worked out again at
the value the meter would have had, with the hands of its last correction, at the place that a
decided order gave it (A-38); the seed is guarded as it is in life. What a winner has for good has
left the meter, whether it was due or not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from meter_server.domain.entries import Entry, EntryKind
from meter_server.domain.hands import METER_HANDS, Hand
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import readings_from_label
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement, settle
from meter_server.domain.statements import statement_json

Seats = Mapping[int, int]
"""Amounts in millionths by seat."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An outcome as the journal has it: its statement, and who won off the meter."""

    statement: Mapping[str, Any]
    winners: Mapping[int, Hand] = field(default_factory=dict)

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


@dataclass(frozen=True, slots=True)
class Moved:
    """An amount that moved the meter whatever it stood at; perhaps under another seed from then."""

    amount_micros: int
    seed_micros: int | None = None


@dataclass(slots=True)
class Story:
    """A history as it counts now: settlements and amounts in order, and each outcome as it stands.

    Prizes and resets are the settlements' own; so is what a correction or a top-up moved later.
    """

    before_micros: int = 0
    """What the meter stood at before the first step."""
    seed_micros: int = 0
    """Seed x cost when it began."""
    steps: list[str | Moved] = field(default_factory=list)
    outcomes: dict[str, Recorded] = field(default_factory=dict)
    put_right: set[str] = field(default_factory=set)
    decided: list[frozenset[str]] = field(default_factory=list)
    """Rounds about whose order with each other a person decided, each time (A-38)."""

    @property
    def rounds(self) -> list[str]:
        return [step for step in self.steps if isinstance(step, str)]


def read(history: Sequence[Entry]) -> Story:
    """A meter's history from its opening, or from a settlement before which all was right."""
    story = _begun(history[0]) if history else Story()
    for entry in history:
        match entry.kind:
            case EntryKind.SETTLEMENT:
                story.steps.append(str(entry.round_id))
                story.outcomes[str(entry.round_id)] = _recorded(entry)
            case EntryKind.CORRECTION:
                _put_right(story, entry)
            case EntryKind.OPENING:
                story.steps.append(Moved(entry.amount_micros, _reseed(entry.detail)))
            case EntryKind.CHANGE:
                # It raised the meter to the new seed, as the guard does.
                story.steps.append(Moved(0, _reseed(entry.detail["to"])))
            case EntryKind.RULING:
                _ruled(story, entry)
            case EntryKind.PRIZE | EntryKind.RESET:
                pass
            case _:
                story.steps.append(Moved(entry.amount_micros))
    return story


def _begun(first: Entry) -> Story:
    settled = first.kind is EntryKind.SETTLEMENT
    return Story(first.before_micros, _recorded(first).reset_to_micros if settled else 0)


def _recorded(entry: Entry) -> Recorded:
    detail: Mapping[str, Any] = entry.detail
    hands = ((seat, Hand(hand)) for seat, hand in detail["hands"])
    return Recorded(
        detail["statement"], {seat: hand for seat, hand in hands if hand in METER_HANDS}
    )


def _reseed(terms: Any) -> int:
    return Terms(terms["option"], terms["seed"], terms["cost_cents"]).reseed_micros


def _ruled(story: Story, entry: Entry) -> None:
    detail: Mapping[str, Any] = entry.detail
    if "order" in detail:
        story.decided.append(frozenset(detail["order"]))


def _put_right(story: Story, entry: Entry) -> None:
    detail: Mapping[str, Any] = entry.detail
    round_id = str(entry.round_id)
    match detail["what"]:
        case "settlement":
            story.outcomes[round_id] = _recorded(entry)
            story.put_right.add(round_id)
        case "void":
            story.outcomes.pop(round_id, None)
            story.put_right.add(round_id)
        case "order":
            story.steps = _in_their_places(story.steps, detail["order"])
            story.put_right.update(detail["order"])
            story.decided.append(frozenset(detail["order"]))


def _in_their_places(steps: Iterable[str | Moved], order: Sequence[str]) -> list[str | Moved]:
    """A round that came late counts just before the first that it precedes; that one stays."""
    found: list[str | Moved] = []
    waiting = list(order)
    for step in steps:
        if step in waiting:
            counted = waiting.index(str(step)) + 1
            found.extend(waiting[:counted])
            del waiting[:counted]
        elif step not in order:
            found.append(step)
    return found


def due(story: Story, has: Mapping[str, Seats]) -> dict[str, Seats]:
    """What each winner would have won, by round, had every outcome been right at once.

    ``has`` is what winners have for good: a paid prize, or one that stands as it was recorded, is
    never made less.
    """
    value, seed = story.before_micros, story.seed_micros
    found: dict[str, Seats] = {}
    for step in story.steps:
        if isinstance(step, Moved):
            seed = seed if step.seed_micros is None else step.seed_micros
            value = max(value + step.amount_micros, seed)
        elif step in story.outcomes:
            outcome, kept = story.outcomes[step], has.get(step, {})
            if not (outcome.winners or kept):
                value = max(value, outcome.reset_to_micros)
                continue
            again = outcome.again(value)
            found[step] = {
                seat: again.paid_each(hand) for seat, hand in sorted(outcome.winners.items())
            }
            value = after_paying(again, prizes_in_effect(found[step], kept))
    return found


def prizes_in_effect(due_micros: Seats, has_micros: Seats) -> int:
    """For each seat what it is due, or has for good where that is more (A-58)."""
    seats = {*due_micros, *has_micros}
    return sum(max(due_micros.get(seat, 0), has_micros.get(seat, 0)) for seat in seats)


def after_paying(statement: Statement, prizes_micros: int) -> int:
    """The meter after other prizes than the statement's, with the seed guarded."""
    after_payment = statement.meter_micros - prizes_micros
    if statement.royals > 1 or after_payment < statement.reset_to_micros:
        return statement.reset_to_micros
    return after_payment


def top_up_in_effect(statement: Statement, prizes_micros: int) -> int:
    """What the reset after such prizes adds; nothing where there is none."""
    return after_paying(statement, prizes_micros) - (statement.meter_micros - prizes_micros)


@dataclass(frozen=True, slots=True)
class Counting:
    """A settlement as it counts so far, with what its winners were paid for good."""

    statement: Statement
    after_micros: int
    winners: Mapping[int, Hand]
    paid: Seats

    def again(self, meter_micros: int) -> Statement:
        recorded = Recorded(statement_json(self.statement))
        return recorded.again(meter_micros)

    def prizes_of(self, statement: Statement) -> int:
        """What a statement puts in effect: nothing paid is taken back (A-58)."""
        due_micros = {seat: statement.paid_each(hand) for seat, hand in self.winners.items()}
        return prizes_in_effect(due_micros, self.paid)


@dataclass(frozen=True, slots=True)
class Reordered:
    """Settlements in another order than they counted in."""

    statements: Mapping[str, Statement]
    prizes_micros: Mapping[str, int]
    """In effect for each round, what is paid for good included."""
    moved_micros: int
    """How much higher the meter ends; whatever lies between them stands as recorded."""


def in_order(counted: Mapping[str, Counting], order: Sequence[str]) -> Reordered:
    """The amounts had the rounds been recorded in this order (A-38).

    ``counted`` has them in the order they count in so far. A round that came late counts just
    before the first one that it precedes; that one stays where it is. Where the meter would come
    below the seed, a reset has been between: a round there meets what it met, as recorded.
    """
    places = {round_id: place for place, round_id in enumerate(counted)}
    counted_at = {
        round_id: min(places[later] for later in order[position:])
        for position, round_id in enumerate(order)
    }
    statements: dict[str, Statement] = {}
    prizes: dict[str, int] = {}
    moved = 0
    for place, recorded in enumerate(counted.values()):
        is_below = recorded.statement.meter_micros + moved < recorded.statement.reset_to_micros
        absorbed = -moved if is_below else 0
        value = recorded.statement.meter_micros + moved + absorbed
        for round_id in order:
            if counted_at[round_id] == place:
                again = statements[round_id] = counted[round_id].again(value)
                prizes[round_id] = counted[round_id].prizes_of(again)
                value = after_paying(again, prizes[round_id])
        moved = value - absorbed - recorded.after_micros
    return Reordered(statements, prizes, moved)
