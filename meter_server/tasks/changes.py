"""Sends scheduled changes to the door once their notices have stood."""

from collections.abc import Callable
from datetime import timedelta

from celery import Celery
from celery.schedules import schedule

from meter_server.tasks.base import MeterTask

NAME = "act-on-notices"
PERIOD = timedelta(seconds=5)


def register(celery: Celery, act_on_due: Callable[[], object]) -> None:
    """Give a worker the task, and beat its schedule."""

    @celery.task(name=NAME, base=MeterTask)
    def act_on_notices() -> None:
        act_on_due()

    celery.conf.beat_schedule[NAME] = {
        "task": NAME,
        "schedule": schedule(PERIOD),
        "options": {"expires": PERIOD.total_seconds()},
    }
