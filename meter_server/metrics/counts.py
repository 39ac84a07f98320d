"""What is counted as it happens.

Several web processes share one port, and a scrape reaches any one of them. The counts therefore
live in files in ``PROMETHEUS_MULTIPROC_DIR`` that all of them add to (``meter-server serve`` sets
it).
"""

import os
import re
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import REGISTRY

disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks when a series began

_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUEST_SECONDS = Histogram(
    "meter_server_request_seconds",
    "How long requests took, by route.",
    ["method", "route", "status"],
    buckets=_SECONDS,
)
TASK_SECONDS = Histogram(
    "meter_server_task_seconds",
    "How long tasks took, by outcome.",
    ["task", "outcome"],
    buckets=_SECONDS,
)
COMMIT_SECONDS = Histogram(
    "meter_server_commit_seconds",
    "How long a batch of messages took from reading to commit, by outcome.",
    ["outcome"],
    buckets=_SECONDS,
)
BATCH_MESSAGES = Histogram(
    "meter_server_batch_messages",
    "How many messages shared a commit.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
)
WAITING = Gauge(
    "meter_server_waiting_requests",
    "Requests that wait for their commit.",
    multiprocess_mode="livesum",
)
MESSAGES = Counter(
    "meter_server_messages",
    "Messages at the door, by what became of them.",
    ["outcome"],
)
REFUSALS = Counter("meter_server_refusals", "Messages that the rules refused, by kind.", ["kind"])


def forget_dead_processes() -> None:
    """A process that was killed waits for nothing any more."""
    directory = os.environ.get(_DIRECTORY)
    for file in Path(directory).glob("gauge_live*.db") if directory else ():
        found = re.search(r"_(\d+)\.db$", file.name)
        if found and not Path(f"/proc/{found[1]}").exists():
            mark_process_dead(int(found[1]))  # type: ignore[no-untyped-call]


def exposition() -> bytes:
    """All counts of all processes in Prometheus' text format."""
    if _DIRECTORY not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
