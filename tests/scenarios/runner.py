"""Plays a scenario on a house, line by line."""

from dataclasses import replace

from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import (
    AREA_MANAGER,
    ASSISTANT_CASINO_MANAGER,
    DEALER,
    HIGHER_DUTIES,
)
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, Readings, Scope, SplitBasis
from meter_server.domain.tables import Limits
from tests.scenarios import audit
from tests.scenarios.answers import differences
from tests.scenarios.house import House
from tests.scenarios.language import Event, Founding, Line, Scenario, microseconds
from tests.scenarios.sentences import Scene, command_of, terms_of
from tests.scenarios.words import Words, WordsError

_RANKS = {
    "dealer": DEALER,
    "higher-duties": HIGHER_DUTIES,
    "area-manager": AREA_MANAGER,
    "manager": ASSISTANT_CASINO_MANAGER,
}
_LIMITS = Limits(1_000, 50_000)
_FOUNDED_AT_US = microseconds("00:00:01", 1)


def play(scenario: Scenario, house: House) -> None:
    """Submit every event and hold its answer against the expected one; check the books each time.

    Raises AssertionError at the first line that is not as told.
    """
    readings = readings_of(scenario.readings)
    for step in scenario.steps:
        try:
            if isinstance(step, Founding):
                readings = _found(step.line, house, readings)
            else:
                _happen(step, house, readings)
        except (WordsError, KeyError, ValueError) as error:
            raise step.line.wrong(str(error)) from error
        faults = list(audit.faults(house.books()))
        assert not faults, f"{_place(step.line)} leaves books in which {'; '.join(faults)}."


def _happen(event: Event, house: House, readings: Readings) -> None:
    command = command_of(event.sentence, Scene(house.books(), event.at_us))
    actor, approver, second = _people(event.people)
    context = Context(event.at_us, actor, approver, second, event.agent_at_us, readings=readings)
    before = house.books()
    answer = house.submit(command, context)
    found = differences(event.answer, answer, house.books())
    assert not found, f"{_place(event.line)}\n    but " + "\n    and ".join(found)
    if answer.refusal is not None:
        assert house.books() == before, f"{_place(event.line)} was refused and yet did something."


def _place(line: Line) -> str:
    return f"{line.path.name}:{line.number}: {line.text}"


def _people(text: str) -> tuple[Person, Person | None, Person | None]:
    """``dealer with higher-duties and dealer-2``: who acts, whose grant it is, who confirms."""
    words = Words(text)
    actor = _person(words.take("who acts"))
    approver = _person(words.take()) if words.maybe("with") else None
    second = _person(words.take()) if words.maybe("and") else None
    words.end()
    return actor, approver, second


def _person(name: str) -> Person:
    rank = name.rstrip("0123456789").rstrip("-")
    if rank not in _RANKS:
        raise WordsError(f"{name!r} has no rank; begin with one of {', '.join(_RANKS)}.")
    return Person(name, _RANKS[rank])


def readings_of(text: str) -> Readings:
    words, readings = Words(text), DEFAULT_READINGS
    while words:
        match words.take():
            case "scope":
                readings = replace(readings, scope=Scope(words.take()))
            case "unit":
                readings = replace(readings, payable_unit_micros=words.dollars())
            case "split":
                readings = replace(readings, split_basis=SplitBasis(words.take()))
            case other:
                raise WordsError(f"there is no reading {other!r}.")
    return readings


def _found(line: Line, house: House, readings: Readings) -> Readings:
    """``system S5 option 1 seed 20000 cost 5.00 tables T1 wsop T2 three-card``, all open.

    Answers the readings from then on.
    """
    words = Words(line.text)
    if words.maybe("readings"):
        return readings_of(line.text.removeprefix("readings"))
    if words.maybe("table"):
        _open_table(words, house, readings)
        words.end()
        return readings
    words.must("system")
    meter = words.take("the system")
    terms = terms_of(words)
    value = words.dollars() if words.maybe("at") else None
    training = words.maybe("training")
    words.must("tables")
    tables = []
    while words:
        tables.append(_open_table(words, house, readings))
    _must(house, readings, commands.OpenSystem(meter, terms, tuple(tables), value, "", training))
    return readings


def _open_table(words: Words, house: House, readings: Readings) -> str:
    table, game = words.take("the table"), GameKey(words.take("the game"))
    _must(house, readings, commands.DefineTable(table, game, GAMES[game].seats_max, _LIMITS))
    _must(house, readings, commands.OpenTable(table))
    return table


def _must(house: House, readings: Readings, command: Command) -> None:
    manager, other = _person("manager"), _person("manager-2")
    answer = house.submit(
        command, Context(_FOUNDED_AT_US, manager, second=other, readings=readings)
    )
    if answer.refusal is not None:
        raise WordsError(answer.refusal.sentence)
