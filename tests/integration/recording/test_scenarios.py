"""The same stories as the rules core tells, through the door on a real PostgreSQL.

What a decision looks at is loaded, and what it changes is stored, by code that the core knows
nothing of: a value that was not loaded, or not kept, shows as an answer that is not as told.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import count

import pytest
from psycopg import sql

from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from deploy.verify.jackpot_verify import Verifier
from meter_server.domain.commands import Command
from meter_server.domain.floor import Floor
from meter_server.domain.people import Context
from meter_server.domain.refusals import Kind, Refusal
from meter_server.recording.door import Door, Status, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage import codec
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.migrate import migrate
from meter_server.storage.rows import Needs
from tests.integration.verify.exports import exported, sentences, verified
from tests.scenarios.house import Answer
from tests.scenarios.language import Scenario, all_scenarios
from tests.scenarios.runner import play

SCENARIOS = all_scenarios()


class DoorHouse:
    """A house whose books are in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._store = PostgresFloor(database)
        self._tokens = count(1)
        self._now_us = 0

    def now_us(self) -> int:
        return self._now_us

    def submit(self, command: Command, context: Context) -> Answer:
        self._now_us = context.at_us
        key = staff_key(context.actor.staff_number, str(next(self._tokens)))
        (answer,) = Door(self._store, self, context.readings).step(
            [
                Submission(
                    key,
                    hashlib.sha256(repr(command).encode()).digest(),
                    command,
                    context.actor,
                    context.approver,
                    context.second,
                    context.agent_at_us,
                )
            ]
        )
        assert answer.status is Status.ANSWERED
        told = json.loads(answer.body)
        if told["answer"] == "refused":
            refusal = Refusal(Kind(told["kind"]), told["reason"], told["rule"], told["remedy"])
            return Answer(refusal=refusal)
        history = self.books().history
        entries = tuple(history[one["meter"]][one["seq"] - 1] for one in told["entries"])
        return Answer(entries, told["draining"])

    def verified(self) -> Verifier:
        """What somebody who trusts nothing of this finds in an export of it."""
        with self._database.connection() as connection:
            return verified(exported(connection))

    def books(self) -> Floor:
        with self._database.connection() as connection:
            rounds, awards, notices = (
                frozenset(row[0] for row in connection.execute(query).fetchall())
                for query in (
                    "SELECT id FROM round",
                    "SELECT id FROM award",
                    "SELECT id FROM notice",
                )
            )
            bodies = connection.execute(
                "SELECT meter_id, convert_from(body, 'UTF8') FROM entry ORDER BY meter_id, seq"
            ).fetchall()
        everything = Needs(rounds=rounds, awards=awards, notices=notices, all_systems=True)
        floor = self._store.load(everything).floor
        history: dict[str, tuple[object, ...]] = {}
        for meter_id, body in bodies:
            history[meter_id] = (*history.get(meter_id, ()), codec.entry_from_body(body))
        return Floor(
            floor.meters,
            floor.tables,
            floor.rounds,
            floor.awards,
            floor.notices,
            history,  # type: ignore[arg-type]
        )


@pytest.fixture(scope="module")
def template(engines: tuple[Postgres, Redis]) -> Iterator[str]:
    """A migrated database to copy: cheaper than migrating one for each story."""
    postgres, _ = engines
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE story_template OWNER {}").format(sql.Identifier(ROLE))
        connection.execute(create)
        migrate(postgres.url(database="story_template"), wait_seconds=0)
        yield "story_template"
        connection.execute("DROP DATABASE story_template WITH (FORCE)")


@pytest.fixture
def house(engines: tuple[Postgres, Redis], template: str) -> Iterator[DoorHouse]:
    postgres, _ = engines
    with postgres.connect() as connection:
        copy = sql.SQL("CREATE DATABASE story TEMPLATE {}").format(sql.Identifier(template))
        connection.execute(copy)
        database = Database(
            postgres.url(database="story"), connections_min=1, connections_max=2, wait_seconds=5
        )
        database.open()
        yield DoorHouse(database)
        database.close()
        connection.execute("DROP DATABASE story WITH (FORCE)")


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(told, id=told.name, marks=pytest.mark.rule.with_args(*told.rules))
        for told in SCENARIOS
    ],
)
def test_the_door_answers_as_told(scenario: Scenario, house: DoorHouse) -> None:
    play(scenario, house)
    assert sentences(house.verified().findings) == []
