"""Forgets proof of display that is older than the house wants to keep."""

from collections.abc import Callable

from celery import Celery
from celery.schedules import crontab

from meter_server.tasks.base import MeterTask

NAME = "forget-old-displays"
NIGHTLY = crontab(hour="19", minute="30")
"""UTC: an hour after the check of the books begins, when few tables are open."""


def register(celery: Celery, forget: Callable[[], object]) -> None:
    """Give a worker the task, and beat its schedule. Doing it twice, or half, does no harm."""

    @celery.task(name=NAME, base=MeterTask)
    def forget_old_displays() -> None:
        forget()

    celery.conf.beat_schedule[NAME] = {"task": NAME, "schedule": NIGHTLY}
