"""What is asked of the gateway by Flask: the pages of the screens, and what machines ask."""

from http import HTTPStatus

import structlog
from flask import Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.exceptions import HTTPException

from signage.gateway.hub import STALE_SECONDS, Hub
from signage.gateway.metrics import exposition
from signage.gateway.screens import COOKIE, Screens, new_token
from signage.screens.pages import pages
from signage.settings import Settings

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_FOR_YEARS = 10 * 365 * 24 * 3600
_AGAIN = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5; url=/">
<title>One moment</title><body bgcolor="black"></body></html>
"""

_log = structlog.get_logger(__name__)


def create_app(hub: Hub, screens: Screens, settings: Settings) -> Flask:
    app = Flask(__name__, static_folder=None)
    app.register_blueprint(pages(hub, settings))
    app.after_request(_with_headers)
    app.register_error_handler(Exception, _never_an_error_page)

    @app.before_request
    def know_the_screen() -> None:
        """By its cookie; one that has none is given one with the page that it opens."""
        g.token = request.cookies.get(COOKIE) or new_token()
        g.screen = screens.find(g.token)

    @app.get("/healthz/live")
    def live() -> dict[str, str]:
        return {"status": "live"}

    @app.get("/healthz/ready")
    def ready() -> tuple[dict[str, str], HTTPStatus]:
        if hub.age_seconds > STALE_SECONDS:
            return {"status": "no frames"}, HTTPStatus.SERVICE_UNAVAILABLE
        return {"status": "ready"}, HTTPStatus.OK

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(exposition(hub), content_type=CONTENT_TYPE_LATEST)

    return app


def _with_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    if request.path == "/" and request.cookies.get(COOKIE) != g.token:
        response.set_cookie(
            COOKIE,
            g.token,
            max_age=_FOR_YEARS,
            httponly=True,
            samesite="Strict",
            secure=request.headers.get("X-Forwarded-Proto") == "https",
        )
    if not response.cache_control:
        response.headers["Cache-Control"] = "no-store"
    return response


def _never_an_error_page(error: Exception) -> Response:
    """A guest may be looking: a quiet page that begins again by itself; the log has the reason."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.code or status)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("a page failed", path=request.path, exc_info=error)
    if "text/html" not in request.headers.get("Accept", ""):
        return Response(f"{status.phrase}\n", status, content_type="text/plain; charset=utf-8")
    return Response(_AGAIN, status, content_type="text/html; charset=utf-8")
