"""What Prometheus scrapes."""

from collections.abc import Callable

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST

from meter_server.health.findings import Health
from meter_server.metrics import exposition


def blueprint(check: Callable[[], Health], version: str) -> Blueprint:
    """Make the route around one health check."""
    routes = Blueprint("metrics", __name__)

    @routes.get("/metrics")
    def metrics() -> Response:
        return Response(exposition(check(), version), content_type=CONTENT_TYPE_LATEST)

    return routes
