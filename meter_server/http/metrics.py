"""What Prometheus scrapes."""

from collections.abc import Callable

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST

from meter_server.health.findings import Health
from meter_server.health.question import Question
from meter_server.http.api.parts import Parts
from meter_server.metrics import counts
from meter_server.metrics.snapshot import Snapshot
from meter_server.storage import gauges
from meter_server.storage.database import Database
from meter_server.storage.errors import StorageError
from meter_server.storage.gauges import Gauges

_DEADLINE_SECONDS = 4.0


def blueprint(check: Callable[[], Health], version: str, parts: Parts) -> Blueprint:
    """Make the route around one health check."""
    routes = Blueprint("metrics", __name__)
    desk, gates = parts.desk, parts.watch.gates
    question = Question(lambda: _read(desk.database), _DEADLINE_SECONDS)

    @routes.get("/metrics")
    def metrics() -> Response:
        snapshot = Snapshot(version, check(), gates.failing(), desk.now(), _asked(question))
        text = counts.exposition() + snapshot.exposition()
        return Response(text, content_type=CONTENT_TYPE_LATEST)

    return routes


def _read(database: Database) -> Gauges:
    with database.connection() as connection:
        return gauges.read(connection)


def _asked(question: Question[Gauges]) -> Gauges | None:
    try:
        return question.ask()
    except (StorageError, TimeoutError):
        return None
