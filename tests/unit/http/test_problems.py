"""A failure of our own is a problem too, and tells nothing about the inside."""

import logging

import pytest

from meter_server.health.findings import Health
from meter_server.http.app import create_app
from tests.unit.http import nowhere


def test_a_crash_is_a_problem_without_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Health:
        raise RuntimeError("the inside")

    client = create_app(broken, "1.2.3", nowhere.parts()).test_client()
    with caplog.at_level(logging.ERROR):
        answer = client.get("/healthz/ready", headers={"X-Request-ID": "tell-me"})

    assert answer.status_code == 500
    assert answer.content_type == "application/problem+json"
    assert answer.get_json() == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": "The server failed. Tell its operator the request id tell-me.",
        "request_id": "tell-me",
    }
    assert answer.headers["X-Request-ID"] == "tell-me"
