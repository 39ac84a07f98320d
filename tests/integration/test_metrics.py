"""Metrics as Prometheus would scrape them from several real processes."""

import re
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.integration.programs import Environment, get, migrate, serving

REQUESTS = "meter_server_request_seconds"
EACH = 12


def test_all_processes_count_together(env: Environment, log: Path) -> None:
    """A scrape reaches one process of three, and must tell what all of them did."""
    migrate(env)
    with serving({**env, "METER_SERVER_PROCESSES": "3"}, log) as port:
        for number in range(EACH):
            get(port, "/healthz/ready")
            get(port, f"/nothing/{number}")
        scraped = _scrape(port)

    counted = {
        (sample.labels["route"], sample.labels["status"]): sample.value
        for sample in scraped[REQUESTS].samples
        if sample.name == f"{REQUESTS}_count"
    }
    assert counted["/healthz/ready", "200"] == EACH
    assert counted["none", "404"] == EACH  # one series, however many paths were tried
    assert len(re.findall(r'Started worker-\d"', log.read_text())) == 3


def test_the_state_of_the_parts_is_scraped(env: Environment, log: Path) -> None:
    migrate(env)
    with serving(env, log) as port:
        scraped = _scrape(port)

    working = {
        sample.labels["part"]: sample.value
        for sample in scraped["meter_server_part_working"].samples
    }
    assert working == {"Database": 1, "Schema": 1, "Redis": 1, "Worker": 0}
    [build] = scraped["meter_server_build_info"].samples
    assert build.labels == {"version": "0.1.0"}
    assert "meter_server_heartbeat_age_seconds" not in scraped  # none yet: no age is invented


def _scrape(port: int) -> dict[str, Metric]:
    answer = get(port, "/metrics")
    assert answer.status == 200
    assert answer.headers.get_content_type() == "text/plain"
    return {family.name: family for family in text_string_to_metric_families(answer.body)}
