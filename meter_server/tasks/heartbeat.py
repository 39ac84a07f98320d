"""The periodic sign that schedule, Redis, worker and database work together."""

from datetime import UTC, datetime

from celery import Celery
from celery.schedules import schedule

from meter_server.storage import heartbeats
from meter_server.storage.database import Database
from meter_server.tasks.base import MeterTask

NAME = "heartbeat"


def register(celery: Celery, database: Database) -> None:
    """Give a worker the task, and beat its schedule."""

    @celery.task(name=NAME, base=MeterTask, bind=True)
    def heartbeat(self: MeterTask) -> None:
        with database.connection() as connection:
            heartbeats.record(connection, worker=self.request.hostname or "")

    celery.conf.beat_schedule[NAME] = {
        "task": NAME,
        # Long ago, so that the first beat comes with the start.
        "last_run_at": datetime.fromtimestamp(0, UTC),
        "schedule": schedule(heartbeats.PERIOD),
        # A beat that waited out an outage would say that something lives which lived long ago.
        "options": {"expires": heartbeats.PERIOD.total_seconds()},
    }
