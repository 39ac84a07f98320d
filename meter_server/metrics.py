"""What Prometheus may ask: how long requests and tasks take, and how the parts are.

Several web processes share one port, and a scrape reaches any one of them. The counts therefore
live in files in ``PROMETHEUS_MULTIPROC_DIR`` that all of them add to (``meter-server serve`` sets
it); what can be looked up is asked anew at each scrape and needs no file.
"""

import os
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from meter_server.health.findings import Health, State

disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks when a series began

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


def exposition(health: Health, version: str) -> bytes:
    """Write everything in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Snapshot(health, version))
    return _counts() + generate_latest(registry)


def _counts() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


class _Snapshot(Collector):
    def __init__(self, health: Health, version: str) -> None:
        self._health = health
        self._version = version

    def collect(self) -> Iterator[Metric]:
        """Give what one look at the system found."""
        yield InfoMetricFamily(
            "meter_server_build", "The version that answers.", {"version": self._version}
        )
        working = GaugeMetricFamily(
            "meter_server_part_working", "1 if a part works, else 0.", labels=["part"]
        )
        for finding in self._health.findings:
            working.add_metric([finding.part], finding.state is State.WORKING)
        yield working
        if self._health.heartbeat is not None:
            yield GaugeMetricFamily(
                "meter_server_heartbeat_age_seconds",
                "The age of the workers' last sign of life.",
                self._health.heartbeat.age.total_seconds(),
            )
