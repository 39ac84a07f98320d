"""The periodic check of the books: new entries every minute, all of them every night."""

from datetime import timedelta

from celery import Celery
from celery.schedules import crontab, schedule

from meter_server.tasks.base import MeterTask
from meter_server.watching.book_check import BookCheck

NEW, ALL = "check-new-entries", "check-all-entries"
PERIOD = timedelta(minutes=1)
NIGHTLY = crontab(hour="18", minute="30")
"""UTC: before the morning in Melbourne, when few tables are open."""


def register(celery: Celery, books: BookCheck) -> None:
    """Give a worker the tasks, and beat their schedule. Doing one twice, or half, does no harm."""

    @celery.task(name=NEW, base=MeterTask)
    def check_new_entries() -> None:
        books.check_new()

    @celery.task(name=ALL, base=MeterTask)
    def check_all_entries() -> None:
        books.check_all()

    celery.conf.beat_schedule[NEW] = {
        "task": NEW,
        "schedule": schedule(PERIOD),
        "options": {"expires": PERIOD.total_seconds()},
    }
    celery.conf.beat_schedule[ALL] = {"task": ALL, "schedule": NIGHTLY}
