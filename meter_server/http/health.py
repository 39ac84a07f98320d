"""The health page for people and the probes for programs."""

from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus

import structlog
from flask import Blueprint, Response, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response as Redirect

from meter_server.health.findings import Health, Overall

_log = structlog.get_logger(__name__)


def blueprint(check: Callable[[], Health], version: str) -> Blueprint:
    """Make the routes around one health check."""
    routes = Blueprint("health", __name__)

    def look() -> Health:
        """What fails is told to whoever asks; where and why, to the log alone."""
        health = check()
        for finding in health.findings:
            if finding.detail is not None:
                _log.warning("a part is failing", part=finding.part.value, reason=finding.detail)
        return health

    @routes.get("/")
    def front() -> Redirect:
        return redirect(url_for("health.page"))

    @routes.get("/health")
    def page() -> str:
        return render_template(
            "health.html", health=look(), version=version, checked_at=datetime.now(UTC)
        )

    @routes.get("/healthz/live")
    def live() -> dict[str, str]:
        # Asks nobody: it says that this process answers, and restarting it would mend nothing else.
        return {"status": "live", "version": version}

    @routes.get("/healthz/ready")
    def ready() -> Response:
        health = look()
        response = jsonify(health.published(version))
        if health.overall is Overall.NOT_READY:
            response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return response

    return routes
