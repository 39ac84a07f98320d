"""Every scenario is played on the rules core; together they leave nothing of it untouched."""

from functools import cache
from typing import get_args

import pytest

from meter_server.domain.commands import Command, DeclareIrregularity, RecordOutcome
from meter_server.domain.entries import EntryKind
from meter_server.domain.floor import Floor
from meter_server.domain.people import Context
from meter_server.domain.refusals import PRECEDENCE, Kind
from meter_server.domain.rulebook.authority import DEALER, grant_for
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.irregularities import CASES, Effect
from tests.scenarios.house import Answer, Core
from tests.scenarios.language import Scenario, all_scenarios
from tests.scenarios.runner import play, readings_of
from tests.scenarios.second_opinion import Doubted

SCENARIOS = all_scenarios()


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(told, id=told.name, marks=pytest.mark.rule.with_args(*told.rules))
        for told in SCENARIOS
    ],
)
def test_the_floor_answers_as_told(scenario: Scenario) -> None:
    """And the second model, which shares no line with it, comes to the same books at every line."""
    play(scenario, Doubted(Core(), readings_of(scenario.readings)))


class Watched(Core):
    """The core, with a list of everything that was asked and answered."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[Command, Answer, Floor]] = []

    def submit(self, command: Command, context: Context) -> Answer:
        before = self.books()
        answer = super().submit(command, context)
        self.seen.append((command, answer, before))
        return answer


@cache
def seen() -> list[list[tuple[Command, Answer, Floor]]]:
    stories = []
    for scenario in SCENARIOS:
        house = Watched()
        play(scenario, house)
        stories.append(house.seen)
    return stories


def test_every_scenario_has_its_own_name_and_says_what_it_proves() -> None:
    names = [scenario.name for scenario in SCENARIOS]
    assert sorted(set(names)) == sorted(names)
    assert [scenario.name for scenario in SCENARIOS if not scenario.rules] == []


def test_every_command_is_accepted_somewhere() -> None:
    accepted = {type(c) for story in seen() for c, answer, _ in story if answer.refusal is None}
    assert {kind.__name__ for kind in set(get_args(Command)) - accepted} == set()


def test_every_kind_of_refusal_is_told_somewhere() -> None:
    told = {answer.refusal.kind for story in seen() for _, answer, _ in story if answer.refusal}
    assert set(Kind) - told == set()


def test_every_kind_of_entry_is_posted_somewhere() -> None:
    posted = {entry.kind for story in seen() for _, answer, _ in story for entry in answer.entries}
    assert set(EntryKind) - posted == set()


def test_every_case_of_every_game_is_played() -> None:
    accepted = {
        ruling
        for story in seen()
        for command, answer, floor in story
        if answer.refusal is None and (ruling := _ruling(command, floor))
    }
    assert _all_rulings() - accepted == set()


def test_every_case_beyond_a_dealer_is_first_refused_to_the_rank_below() -> None:
    refused = {
        ruling
        for story in seen()
        for command, answer, floor in story
        if answer.refusal is not None
        and answer.refusal.kind is Kind.NOT_AUTHORISED
        and (ruling := _ruling(command, floor))
    }
    beyond = {
        (case, game)
        for case, game in _all_rulings()
        if (grant := grant_for(CASES[case].rulings[game].action, game)) and grant.rank != DEALER
    }
    assert beyond - refused == set()


def test_every_effect_is_seen() -> None:
    effects = {CASES[case].rulings[game].effect for case, game in _all_rulings()}
    assert effects == set(Effect)


def _is_about_precedence(scenario: Scenario) -> bool:
    return scenario.path.stem == "precedence"


@pytest.mark.parametrize("scenario", [told for told in SCENARIOS if _is_about_precedence(told)])
def test_where_several_refusals_apply_the_first_is_told(scenario: Scenario) -> None:
    house = Watched()
    play(scenario, house)
    told = [answer.refusal.kind for _, answer, _ in house.seen if answer.refusal]
    assert told == sorted(set(told), key=PRECEDENCE.__getitem__)


def _all_rulings() -> set[tuple[str, GameKey]]:
    return {(case.key, game) for case in CASES.values() for game in case.rulings}


def _ruling(command: Command, floor: Floor) -> tuple[str, GameKey] | None:
    match command:
        case DeclareIrregularity():
            return command.case, floor.tables[command.table_id].game_key
        case RecordOutcome(case=str() as case):
            return case, floor.rounds[command.round_id].game_key
        case _:
            return None
