"""Rounds on paper, where the stories cannot tell it: the whole sentence, and what is kept."""

from dataclasses import replace

from meter_server.domain.commands import (
    Command,
    DeclareIrregularity,
    DefineTable,
    OpenSystem,
    OpenTable,
    RecordOutcome,
    RegisterWagers,
    SetManual,
)
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from tests.rules import rule

UNTIMED = Context(9, Person("4001", ASSISTANT_CASINO_MANAGER), second=Person("3001", DEALER))
TIMED = replace(UNTIMED, agent_at_us=1)
ON_PAPER = RegisterWagers("R1", "T1", frozenset({1, 2}), 100, paper="page 7")


def manual() -> Floor:
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1",)),
        SetManual("T1", on=True),
    ):
        floor, _ = done(floor, command)
    return floor


def done(floor: Floor, command: Command) -> tuple[Floor, Accepted]:
    answer = decide(floor, command, TIMED)
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer), answer


@rule("A-38", "A-57")
def test_paper_without_its_time_is_told_what_to_key_in() -> None:
    floor, _ = done(manual(), ON_PAPER)
    refusal = decide(floor, RecordOutcome("R1", paper="page 7"), UNTIMED)
    assert isinstance(refusal, Refusal)
    assert refusal.kind is Kind.MANUAL_ON_PAPER
    assert refusal.sentence == (
        "When it was written down is not said. [WSOP 10.2.4] Key in the time that stands on the "
        "paper."
    )


@rule("A-57", "IRR-3")
def test_what_was_given_back_on_paper_names_the_paper() -> None:
    floor, _ = done(manual(), ON_PAPER)
    back = DeclareIrregularity("T1", "begun-by-mistake", paper="page 8", round_id="R1")
    _, answer = done(floor, back)
    [entry] = answer.entries
    assert entry.detail["paper"] == "page 8"
