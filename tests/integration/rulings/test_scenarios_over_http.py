"""The same stories as the rules core tells, over HTTP on a real PostgreSQL.

Tables speak through signed agents, managers through their sessions, and after every event the books
are those of the rules core, to the last field, and those of the second model, which shares no line
with either.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import sql
from redis import Redis as Client

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from meter_server.domain import commands
from meter_server.storage.migrate import migrate
from tests.counts import FULL
from tests.integration.inside import add_people, listening
from tests.integration.rulings.http_house import ENROLLING, HttpHouse, Switchboard
from tests.scenarios.language import Event, Scenario, all_scenarios
from tests.scenarios.runner import play, readings_of
from tests.scenarios.second_opinion import Doubted

EVERY = 1 if FULL else 12
# Readings are settings of a server: another set of them is another server.
TOLD = [told for told in all_scenarios() if not told.changes_readings][::EVERY]
ROLES = {
    "dealer": "dealer",
    "higher-duties": "higher-duties",
    "area-manager": "area-manager",
    "manager": "assistant-casino-manager",
}
# What no person and no table agent says: set-up lines, amounts below a cent, and what signs report.
NOT_SAID_OVER_HTTP = (
    commands.OpenSystem,
    commands.TopUpMeter,
    commands.DefineTable,
    commands.OpenTable,
    commands.ConfirmDisplay,
    commands.ReportDarkSign,
)


def _people() -> dict[str, str]:
    """Everybody whom a story names, and two who enrol the agents."""
    named = {
        name
        for scenario in all_scenarios()
        for step in scenario.steps
        if isinstance(step, Event)
        for name in step.people.replace(" with ", " ").replace(" and ", " ").split()
    }
    ranks = {name: name.rstrip("0123456789").rstrip("-") for name in {*named, *ENROLLING}}
    ranks |= dict.fromkeys(("manager", "manager-2"), "manager")
    return {name: ROLES[rank] for name, rank in ranks.items()}


@pytest.fixture(scope="module")
def template(engines: tuple[Postgres, Redis]) -> Iterator[str]:
    postgres, _ = engines
    name = "told_template"
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        migrate(postgres.url(database=name), wait_seconds=0)
        add_people(postgres.url(database=name), _people())
        yield name
        connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


@pytest.fixture(scope="module")
def board() -> Iterator[tuple[Switchboard, int]]:
    board = Switchboard()
    with listening(board) as port:
        yield board, port


@pytest.fixture
def house(
    engines: tuple[Postgres, Redis],
    template: str,
    board: tuple[Switchboard, int],
    tmp_path: Path,
    scenario: Scenario,
) -> Iterator[HttpHouse]:
    postgres, redis = engines
    with Client.from_url(redis.url) as counters:
        counters.flushall()  # every story has its own people at the one address
    with postgres.connect() as connection:
        copy = sql.SQL("CREATE DATABASE told TEMPLATE {} OWNER {}")
        connection.execute(copy.format(sql.Identifier(template), sql.Identifier(ROLE)))
        urls = (postgres.url(database="told"), redis.url)
        house = HttpHouse(*board, urls, tmp_path, readings_of(scenario.readings))
        try:
            yield house
        finally:
            house.close()
            connection.execute("DROP DATABASE told WITH (FORCE)")


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(told, id=told.name, marks=pytest.mark.rule.with_args(*told.rules))
        for told in TOLD
    ],
)
def test_http_answers_as_told(scenario: Scenario, house: HttpHouse) -> None:
    play(scenario, Doubted(house, readings_of(scenario.readings)))
    assert all(isinstance(command, NOT_SAID_OVER_HTTP) for command in house.past_http)
