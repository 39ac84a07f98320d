"""What all tasks share."""

from time import perf_counter
from typing import Any

import structlog
from celery import Task

from meter_server.metrics.counts import TASK_SECONDS
from meter_server.storage.errors import StorageError


class MeterTask(Task[Any, Any]):
    """Puts its time into the metrics and its name and id on every log line."""

    abstract = True
    # Foreseen: logged in one line without a traceback. The next delivery tries again.
    throws = (StorageError,)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task and note how it went."""
        began, outcome = perf_counter(), "failed"
        with structlog.contextvars.bound_contextvars(task=self.name, task_id=self.request.id):
            try:
                result = self.run(*args, **kwargs)
                outcome = "done"
            finally:
                TASK_SECONDS.labels(self.name, outcome).observe(perf_counter() - began)
        return result
