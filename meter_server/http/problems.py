"""Errors as RFC 9457 problem details: the only place where an error becomes an answer."""

import json
from http import HTTPStatus

import structlog
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

_log = structlog.get_logger(__name__)


def install(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(Exception, _failed)


def _refused(error: HTTPException) -> Response:
    response = error.get_response()
    assert isinstance(response, Response)  # noqa: S101 (Flask's own errors have Flask's responses)
    if response.status_code < HTTPStatus.BAD_REQUEST:
        return response  # a redirect
    return _problem(response, _detail(error, response.status_code))


def _failed(error: Exception) -> Response:
    _log.error("request failed", exc_info=error)
    detail = f"The server failed. Tell its operator the request id {g.request_id}."
    return _problem(Response(status=HTTPStatus.INTERNAL_SERVER_ERROR), detail)


def _detail(error: HTTPException, status: int) -> str:
    if status == HTTPStatus.NOT_FOUND:
        return f"There is nothing at {request.path}."
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.method} is not allowed at {request.path}."
    return error.description or HTTPStatus(status).phrase


def _problem(response: Response, detail: str) -> Response:
    """Keep what the error said in headers (``Allow``, ``Retry-After``) and replace its body."""
    response.set_data(
        json.dumps(
            {
                "type": "about:blank",
                "title": HTTPStatus(response.status_code).phrase,
                "status": response.status_code,
                "detail": detail,
                "request_id": g.request_id,
            }
        )
    )
    response.content_type = "application/problem+json"
    return response
