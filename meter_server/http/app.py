"""The web application, made from the parts it is given."""

from collections.abc import Callable, Sequence

from flask import Flask, Response, send_from_directory

from meter_server.contract import look
from meter_server.health.findings import Health
from meter_server.http import (
    approvals,
    audit,
    calls,
    consoles,
    corrections,
    devices,
    forwarded,
    frames,
    headers,
    health,
    history,
    manual,
    messages,
    metrics,
    notices,
    prizes,
    problems,
    proposals,
    requests,
    schedule,
    screens,
    sessions,
    staff,
    standing,
    systems,
    tables,
    waiting,
)
from meter_server.http.api import endpoints, openapi, people, refusals, signed
from meter_server.http.api.parts import Parts

FAMILIES = (
    sessions.family,
    staff.family,
    proposals.family,
    systems.family,
    tables.family,
    prizes.family,
    corrections.family,
    manual.family,
    notices.family,
    history.family,
    devices.family,
    standing.family,
    consoles.family,
    messages.family,
    frames.family,
    screens.family,
    schedule.family,
    calls.family,
    approvals.family,
    audit.family,
)
OPENAPI = openapi.document(FAMILIES, {**people.SECURITY, **signed.SECURITY})


def create_app(
    check_health: Callable[[], Health],
    version: str,
    parts: Parts,
    proxies: Sequence[forwarded.Network] = (),
) -> Flask:
    """Join the blueprints and what every answer has in common."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the order of the words is meant
    for part in (requests, headers, problems, refusals):
        part.install(app)
    app.register_blueprint(health.blueprint(check_health, version))
    app.register_blueprint(waiting.pages)
    app.register_blueprint(metrics.blueprint(check_health, version, parts))
    endpoints.install(app, FAMILIES, parts)
    app.add_url_rule("/v1/openapi.json", "openapi", lambda: OPENAPI)
    app.add_url_rule("/look/<filename>", "look", _look)
    app.wsgi_app = forwarded.behind(app.wsgi_app, proxies)  # type: ignore[method-assign]
    return app


def _look(filename: str) -> Response:
    return send_from_directory(look.FOLDER, filename)
