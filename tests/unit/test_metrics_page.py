"""The page about metrics names what there is, and nothing else."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.registry import REGISTRY

from meter_server.health.findings import Health
from meter_server.metrics import counts  # noqa: F401 - it registers them
from meter_server.metrics.snapshot import Snapshot
from meter_server.storage.gauges import Gauges
from meter_server.storage.heartbeats import Heartbeat

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
NOW = datetime(2026, 1, 1, tzinfo=UTC)

SUFFIXES = {"counter": "_total", "info": "_info"}
"""What the text format adds to a name."""


def names(metrics: Iterable[Metric]) -> set[str]:
    return {
        metric.name + SUFFIXES.get(metric.type, "")
        for metric in metrics
        if metric.name.startswith("meter_server_")
    }


def test_the_page_names_what_is_scraped() -> None:
    heartbeat = Heartbeat(age=timedelta(seconds=1), worker="one")
    gauges = Gauges(NOW, [], {}, {}, last_checkpoint=1, checkpoint_age=Decimal(1))
    snapshot = Snapshot("1", Health((), heartbeat), frozenset(), NOW, gauges)
    scraped = names(REGISTRY.collect()) | names(snapshot.collect())
    rows = re.findall(r"^\| `(meter_server_\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(scraped)
