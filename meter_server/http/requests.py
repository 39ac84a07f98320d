"""Every request has an id, a log line and its time in the metrics."""

import re
from time import perf_counter
from uuid import uuid4

import structlog
from flask import Flask, Response, g, request

from meter_server.http.left import left
from meter_server.metrics.counts import REQUEST_SECONDS

ID_HEADER = "X-Request-ID"
_ID_FROM_OUTSIDE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger(__name__)


def install(app: Flask) -> None:
    """Wrap every request of the application."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    known = left()
    g.began = known.began
    g.request_id = known.request_id or request_id(request.headers.get(ID_HEADER, ""))
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)


def request_id(offered: str) -> str:
    """Keep the proxy's id so that its log and ours can be joined; refuse to log anything odd."""
    return offered if _ID_FROM_OUTSIDE.fullmatch(offered) else uuid4().hex


def _end(response: Response) -> Response:
    # The rule, not the path: a path has endless values, and each would be a series of its own.
    route = request.url_rule.rule if request.url_rule else "none"
    ended(request.method, route, request.path, response.status_code, g.began)
    response.headers[ID_HEADER] = g.request_id
    return response


def ended(method: str, route: str, path: str, status: int, began: float, **more: str) -> None:
    """Its log line and its time; ``more`` where the log does not know the request's id."""
    seconds = perf_counter() - began
    REQUEST_SECONDS.labels(method, route, status).observe(seconds)
    _log.info(
        "request",
        method=method,
        path=path,
        status=status,
        milliseconds=round(seconds * 1000, 1),
        **more,
    )
