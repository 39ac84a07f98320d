"""What Prometheus may ask of a gateway."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from signage.gateway.hub import Hub

disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks when a series began

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1)

REGISTRY = CollectorRegistry()
FRAME_DELAY = Histogram(
    "signage_frame_delay_seconds",
    "From the first screen that was sent a frame to the last.",
    buckets=_SECONDS,
    registry=REGISTRY,
)


def exposition(hub: Hub) -> bytes:
    looked_up = CollectorRegistry()
    looked_up.register(_Looked(hub))
    return generate_latest(REGISTRY) + generate_latest(looked_up)


class _Looked(Collector):
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("signage_screens", "Screens connected now.", self._hub.screens)
        yield GaugeMetricFamily(
            "signage_stale_screens",
            "Of those, the ones that do not show what is true now.",
            self._hub.stale_screens,
        )
        yield GaugeMetricFamily(
            "signage_frame_age_seconds",
            "Since the database was read for what is shown.",
            self._hub.age_seconds,
        )
