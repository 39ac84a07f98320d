"""Headers that tell the browser to trust nothing but this server."""

from flask import Flask, Response

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def install(app: Flask) -> None:
    """Put the headers on every answer."""
    app.after_request(_add)


def _add(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    # What this server says is true now and perhaps not in a second; its files may be kept.
    if not response.cache_control:
        response.headers["Cache-Control"] = "no-store"
    return response
