"""Every refusal, of the rules and of the house, as a problem: one map for all of them."""

from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask
from werkzeug.wrappers import Response

from meter_server.access.refusals import Denied
from meter_server.access.refusals import Kind as AccessKind
from meter_server.domain.refusals import Kind, Refused
from meter_server.http import problems
from meter_server.http.problems import RETRY_SECONDS, Problem
from meter_server.recording.door import Unavailable

# What is not named here is in the way of things as they stand now: 409.
STATUSES: Mapping[str, HTTPStatus] = {
    AccessKind.NOT_SIGNED_IN: HTTPStatus.UNAUTHORIZED,
    AccessKind.WRONG_CREDENTIALS: HTTPStatus.UNAUTHORIZED,
    AccessKind.NOT_SIGNED: HTTPStatus.UNAUTHORIZED,
    AccessKind.DEVICE_KEPT_OUT: HTTPStatus.UNAUTHORIZED,
    AccessKind.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    # The same words in both rooms.
    Kind.NOT_AUTHORISED: HTTPStatus.FORBIDDEN,
    Kind.SECOND_PERSON_NEEDED: HTTPStatus.FORBIDDEN,
    Kind.UNKNOWN: HTTPStatus.NOT_FOUND,
    AccessKind.OWN_ACCOUNT: HTTPStatus.FORBIDDEN,
    AccessKind.GRANT_NOT_VALID: HTTPStatus.FORBIDDEN,
    AccessKind.NOT_ACCEPTABLE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.OWN_OUTCOME: HTTPStatus.FORBIDDEN,
    # Wrong in itself, whatever the floor looks like.
    Kind.OPENING_BELOW_SEED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.NO_SEATS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.SEAT_NOT_AT_TABLE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.WRONG_COST: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.WRONG_LIMITS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.CASE_NOT_PROVIDED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.SEATS_NOT_NAMED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.BAD_CARDS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.HAND_NOT_AS_CARDS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.SPLIT_NOT_PROVIDED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.CARDS_NEEDED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Kind.SHARES_NOT_WHOLE: HTTPStatus.UNPROCESSABLE_ENTITY,
}


def install(app: Flask) -> None:
    app.register_error_handler(Denied, _denied)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(Unavailable, _unavailable)


def refused(*, kind: str, reason: str, rule: str, remedy: str, retry: int | None = None) -> Problem:
    """A refusal as a problem; programs read its kind, people its sentence."""
    return Problem(
        STATUSES.get(kind, HTTPStatus.CONFLICT),
        f"{reason} [{rule}] {remedy}",
        headers={} if retry is None else {"Retry-After": str(retry)},
        kind=str(kind),
        rule=rule,
        remedy=remedy,
    )


def _denied(error: Denied) -> Response:
    refusal = error.refusal
    return problems.answer(
        refused(
            kind=refusal.kind,
            reason=refusal.reason,
            rule=refusal.rule,
            remedy=refusal.remedy,
            retry=error.retry_after_seconds,
        )
    )


def _refused(error: Refused) -> Response:
    refusal = error.refusal
    return problems.answer(
        refused(kind=refusal.kind, reason=refusal.reason, rule=refusal.rule, remedy=refusal.remedy)
    )


def _unavailable(error: Unavailable) -> Response:
    return problems.answer(
        Problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"{error}",
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
    )
