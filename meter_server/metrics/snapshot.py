"""What is looked up anew at each scrape, and needs no count."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from meter_server.domain.money import MICROS_PER_DOLLAR
from meter_server.domain.tables import Gate
from meter_server.health.findings import Health, State
from meter_server.storage.gauges import Gauges
from meter_server.storage.violations import ViolationKind


@dataclass(frozen=True, eq=False)
class Snapshot(Collector):
    """One look at the system; what cannot be known is left out."""

    version: str
    health: Health
    failing: frozenset[Gate]
    now: datetime
    gauges: Gauges | None
    """None where the database does not answer."""

    def exposition(self) -> bytes:
        """In Prometheus' text format."""
        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry)

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            "meter_server_build", "The version that answers.", {"version": self.version}
        )
        yield _labelled(
            "meter_server_part_working",
            "1 if a part works, else 0.",
            "part",
            {finding.part: finding.state is State.WORKING for finding in self.health.findings},
        )
        yield _labelled(
            "meter_server_gate_failing",
            "1 if a condition for taking wagers fails at every table.",
            "gate",
            {gate: gate in self.failing for gate in Gate},
        )
        if self.health.heartbeat is not None:
            yield GaugeMetricFamily(
                "meter_server_heartbeat_age_seconds",
                "The age of the workers' last sign of life.",
                self.health.heartbeat.age.total_seconds(),
            )
        if self.gauges is not None:
            yield from _of_the_database(self.gauges, self.now)


def _of_the_database(gauges: Gauges, now: datetime) -> Iterator[Metric]:
    yield from _of_meters(gauges)
    yield _labelled(
        "meter_server_table_heartbeat_age_seconds",
        "Seconds since a table's agent was last heard.",
        "table",
        gauges.heartbeat_ages,
    )
    yield _labelled(
        "meter_server_violations",
        "What is wrong with the books and not settled.",
        "kind",
        {kind: gauges.violations.get(kind, 0) for kind in ViolationKind},
    )
    yield GaugeMetricFamily(
        "meter_server_clock_offset_seconds",
        "How far this server's clock is ahead of the database's.",
        (now - gauges.at).total_seconds(),
    )
    yield GaugeMetricFamily(
        "meter_server_checkpoints", "How many checkpoints were made.", gauges.last_checkpoint or 0
    )
    if gauges.checkpoint_age is not None:
        yield GaugeMetricFamily(
            "meter_server_checkpoint_age_seconds",
            "The age of the last checkpoint.",
            float(gauges.checkpoint_age),
        )


def _of_meters(gauges: Gauges) -> Iterator[Metric]:
    value = GaugeMetricFamily(
        "meter_server_meter_dollars",
        "The value of a prize meter.",
        labels=["system", "training"],
    )
    margin = GaugeMetricFamily(
        "meter_server_floor_margin_dollars",
        "How far a meter stands above the least it must record, undetermined prizes counted as "
        "paid or not.",
        labels=["system", "undetermined"],
    )
    for meter in gauges.meters:
        training = "yes" if meter.training else "no"
        value.add_metric([meter.id, training], meter.value_micros / MICROS_PER_DOLLAR)
        for undetermined, micros in (
            ("paid", meter.margin_micros),
            ("not-paid", meter.margin_without_undetermined_micros),
        ):
            margin.add_metric([meter.id, undetermined], micros / MICROS_PER_DOLLAR)
    yield value
    yield margin


def _labelled(name: str, documentation: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, documentation, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
