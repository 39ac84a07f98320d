"""Who waits at a table, on one page for staff: calls, and what takes a supervisor's word."""

from flask import Blueprint, Response, make_response, render_template

_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

pages = Blueprint("waiting", __name__)


@pages.get("/floor")
def page() -> Response:
    """For a tablet or phone of their own; the script asks the same API as anybody."""
    response = make_response(render_template("floor.html"))
    response.headers["Content-Security-Policy"] = _POLICY
    return response
