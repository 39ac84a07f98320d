"""The health page for people and the probes for programs."""

from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus

from flask import Blueprint, Response, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response as Redirect

from meter_server.health.findings import Health, Overall


def blueprint(check: Callable[[], Health], version: str) -> Blueprint:
    """Make the routes around one health check."""
    routes = Blueprint("health", __name__)

    @routes.get("/")
    def front() -> Redirect:
        return redirect(url_for("health.page"))

    @routes.get("/health")
    def page() -> str:
        return render_template(
            "health.html", health=check(), version=version, checked_at=datetime.now(UTC)
        )

    @routes.get("/healthz/live")
    def live() -> dict[str, str]:
        # Asks nobody: it says that this process answers, and restarting it would mend nothing else.
        return {"status": "live", "version": version}

    @routes.get("/healthz/ready")
    def ready() -> Response:
        health = check()
        response = jsonify(health.published(version))
        if health.overall is Overall.NOT_READY:
            response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return response

    return routes
