"""Asks every part how it is."""

from collections.abc import Iterable
from typing import NamedTuple

import redis

from meter_server.health.findings import Finding, Health, Part, State
from meter_server.health.question import Question
from meter_server.storage import heartbeats
from meter_server.storage.database import Database
from meter_server.storage.errors import StorageError
from meter_server.storage.heartbeats import Heartbeat
from meter_server.storage.migrate import applied_migrations, known_migrations

_HEARTBEAT_LATE = 3 * heartbeats.PERIOD
_DEADLINE_SECONDS = 4.0  # longer than connecting may last


class _DatabaseAnswer(NamedTuple):
    database: Finding
    schema: Finding
    worker: Finding
    heartbeat: Heartbeat | None


class HealthCheck:
    """Calling it looks at everything, and returns in bounded time whatever hangs."""

    def __init__(self, database: Database, redis_client: "redis.Redis") -> None:
        self._address = database.address
        self._database = Question(lambda: _ask_database(database), _DEADLINE_SECONDS)
        self._redis = Question(lambda: _ask_redis(redis_client), _DEADLINE_SECONDS)

    def __call__(self) -> Health:
        """Look at every part."""
        answer = self._database_answer()
        findings = (answer.database, answer.schema, self._redis_finding(), answer.worker)
        return Health(findings, answer.heartbeat)

    def _database_answer(self) -> _DatabaseAnswer:
        try:
            return self._database.ask()
        except StorageError as error:
            return _no_database(str(error))
        except TimeoutError:
            return _no_database(
                f"The database {self._address} did not answer within {_DEADLINE_SECONDS:g} s."
            )

    def _redis_finding(self) -> Finding:
        try:
            return self._redis.ask()
        except (redis.RedisError, TimeoutError) as error:
            advice = "start Redis or correct REDIS_URL; tasks wait until then."
            sentence = f"Redis does not answer: {advice}"
            detail = str(error) or type(error).__name__
            return Finding(Part.REDIS, State.FAILING, sentence, detail)


def _ask_database(database: Database) -> _DatabaseAnswer:
    with database.direct_connection() as connection:
        version = connection.info.server_version // 10000
        schema = _schema(applied_migrations(connection))
        complete = schema.state is State.WORKING
        heartbeat = heartbeats.latest(connection) if complete else None
    answers = f"PostgreSQL {version} answers, and flushes to disk what it commits."
    return _DatabaseAnswer(
        Finding(Part.DATABASE, State.WORKING, answers),
        schema,
        _worker(heartbeat) if complete else _unknown(Part.WORKER, "the schema is not complete"),
        heartbeat,
    )


def _ask_redis(client: "redis.Redis") -> Finding:
    client.ping()
    return Finding(Part.REDIS, State.WORKING, "Redis answers.")


def _schema(applied: Iterable[str]) -> Finding:
    applied = set(applied)
    missing = [migration.id for migration in known_migrations() if migration.id not in applied]
    if missing:
        sentence = f"Migration {missing[0]} is missing: run 'meter-server migrate'."
        return Finding(Part.SCHEMA, State.FAILING, sentence)
    # A newer schema is in order: two versions run side by side while one is rolled out.
    return Finding(Part.SCHEMA, State.WORKING, f"The latest migration is {max(applied)}.")


def _worker(heartbeat: Heartbeat | None) -> Finding:
    advice = "see that 'meter-server worker' and 'meter-server beat' run."
    if heartbeat is None:
        sentence = f"No worker has given a sign of life yet: {advice}"
        return Finding(Part.WORKER, State.FAILING, sentence)
    age = f"{heartbeat.age.total_seconds():.0f} s ago"
    if heartbeat.age > _HEARTBEAT_LATE:
        sentence = f"The last sign of life came {age}: {advice}"
        return Finding(Part.WORKER, State.FAILING, sentence)
    sentence = f"The last sign of life came {age} from {heartbeat.worker}."
    return Finding(Part.WORKER, State.WORKING, sentence)


def _no_database(detail: str) -> _DatabaseAnswer:
    why = "the database cannot be asked"
    sentence = "The database cannot be used: the server's log and 'meter-server status' say why."
    failing = Finding(Part.DATABASE, State.FAILING, sentence, detail)
    return _DatabaseAnswer(failing, _unknown(Part.SCHEMA, why), _unknown(Part.WORKER, why), None)


def _unknown(part: Part, why: str) -> Finding:
    return Finding(part, State.UNKNOWN, f"Not known: {why}.")
