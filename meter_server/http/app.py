"""The web application, made from the parts it is given."""

from collections.abc import Callable

from flask import Flask

from meter_server.health.findings import Health
from meter_server.http import headers, health, metrics, problems, requests


def create_app(check_health: Callable[[], Health], version: str) -> Flask:
    """Join the blueprints and what every answer has in common."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the order of the words is meant
    for part in (requests, headers, problems):
        part.install(app)
    app.register_blueprint(health.blueprint(check_health, version))
    app.register_blueprint(metrics.blueprint(check_health, version))
    return app
