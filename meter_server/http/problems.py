"""Errors as RFC 9457 problem details: the only place where an error becomes an answer."""

import json
from collections.abc import Mapping
from http import HTTPStatus

import structlog
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as WerkzeugResponse

from meter_server.storage.errors import StorageError

RETRY_SECONDS = 2

_log = structlog.get_logger(__name__)


class Problem(HTTPException):
    """Raise this to answer with one sentence that says what to do; members say more to programs."""

    def __init__(
        self,
        status: HTTPStatus,
        sentence: str,
        *,
        headers: Mapping[str, str] | None = None,
        **members: str | int,
    ) -> None:
        super().__init__(sentence)
        self.code = self.status = status
        self.headers = headers or {}
        self.members = members


def install(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(StorageError, _unavailable)
    app.register_error_handler(Exception, _failed)


def answer(error: Problem) -> Response:
    """Write a problem."""
    return _problem(error.status, error.description or "", dict(error.headers), error.members)


def _refused(error: HTTPException) -> WerkzeugResponse:
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()  # a redirect
    # The error's own headers matter: Allow, Retry-After.
    return _problem(error.code, _detail(error, error.code), dict(error.get_headers()))


def _unavailable(error: StorageError) -> Response:
    _log.error("storage failed", reason=str(error))
    return _problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"The database is not available: try again in {RETRY_SECONDS} seconds.",
        {"Retry-After": str(RETRY_SECONDS)},
    )


def _failed(error: Exception) -> Response:
    _log.error("request failed", exc_info=error)
    detail = f"The server failed. Tell its operator the request id {g.request_id}."
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail, {})


def _detail(error: HTTPException, status: int) -> str:
    if status == HTTPStatus.NOT_FOUND:
        return f"There is nothing at {request.path}."
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.method} is not allowed at {request.path}."
    return error.description or HTTPStatus(status).phrase


def _problem(
    status: int,
    detail: str,
    headers: dict[str, str],
    members: Mapping[str, str | int] | None = None,
) -> Response:
    phrase = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": phrase, "status": status, "detail": detail}
    headers["Content-Type"] = "application/problem+json"
    said = body | {"request_id": g.request_id} | dict(members or {})
    return Response(json.dumps(said), status, headers)
