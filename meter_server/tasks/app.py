"""The Celery application: how tasks travel through Redis.

Redis may forget or repeat a message. So no money moves in a task, every task is safe to run twice,
and a task is acknowledged only when it is done.
"""

from collections.abc import Callable
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from meter_server.storage.database import Database
from meter_server.tasks import books, changes, displays, heartbeat
from meter_server.watching.book_check import BookCheck


def create_celery(
    redis_url: str,
    redelivery_seconds: int,
    database: Database,
    act_on_due: Callable[[], object],
    book_check: BookCheck,
    forget_displays: Callable[[], object],
) -> Celery:
    """Join the tasks with the parts they use."""
    celery = Celery("meter_server", broker=redis_url, set_as_current=False)
    celery.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": redelivery_seconds,
            "unacked_restore_throttle": 1,  # look every 10 s; the default is every 100 s
        },
        # Whoever can write to Redis must not be able to stop a worker.
        worker_enable_remote_control=False,
        worker_redirect_stdouts=False,
        # In memory: what is due follows from the clock, so there is no file to write or to lose.
        beat_scheduler="celery.beat:Scheduler",
        timezone="UTC",
    )
    heartbeat.register(celery, database)
    changes.register(celery, act_on_due)
    books.register(celery, book_check)
    displays.register(celery, forget_displays)
    setup_logging.connect(_keep_our_log)
    return celery


def _keep_our_log(**_: Any) -> None:
    """Being connected is enough: Celery then leaves the log as it is configured."""
