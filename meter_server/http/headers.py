"""Headers that tell the browser to trust nothing but this server."""

from collections.abc import Iterable
from typing import Any

from flask import Flask

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("Content-Security-Policy", _POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    # What this server says is true now and perhaps not in a second; its files may be kept.
    ("Cache-Control", "no-store"),
)
_BY_NAME = {name.lower(): (name, value) for name, value in HEADERS}


def install(app: Flask) -> None:
    """Put the headers on every answer that does not have its own."""
    inner = app.wsgi_app

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            given = {name.lower() for name, _ in headers}
            missing = [header for name, header in _BY_NAME.items() if name not in given]
            return start_response(status, headers + missing, *failure)

        return inner(environ, start)

    app.wsgi_app = call  # type: ignore[method-assign]
