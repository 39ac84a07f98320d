"""JSON as it must come in: one reading for everybody, or a refusal that says what is wrong.

Two programs that read one document differently are a way around every rule, so whatever JSON leaves
open is refused here: floats, huge numbers, repeated names, hidden characters, endless nesting.
"""

from http import HTTPStatus
from typing import Any

import jiter
from flask import request

from meter_server.domain.writing import INTEGER_MAX
from meter_server.http.problems import Problem

BYTES_MAX = 256 * 1024
DEPTH_MAX = 20

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def received() -> bytes:
    """The body of the request, once it is known to be JSON of the strict kind."""
    if request.mimetype != "application/json":
        raise Problem(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "Send the body as JSON, with the header Content-Type: application/json.",
        )
    body = request.get_data()
    require_strict(body)
    return body


def require_strict(body: bytes) -> None:
    """Refuse whatever two readers could read differently."""
    try:
        read = jiter.from_json(
            body, allow_inf_nan=False, catch_duplicate_keys=True, float_mode="lossless-float"
        )
    except ValueError as error:
        raise _malformed(f"The body is not JSON ({error}).") from None
    _require(read)


def _require(read: Json) -> None:
    """Level by level, by exact types: the reader makes no others, and this sees every value."""
    level: list[Any] = [read]
    for _ in range(DEPTH_MAX):
        inner: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is str:
                _require_text(value)
            elif kind is int:
                if not -INTEGER_MAX <= value <= INTEGER_MAX:
                    raise _malformed(f"A number is beyond {INTEGER_MAX}: not all readers hold it.")
            elif kind is list:
                inner.extend(value)
            elif kind is dict:
                _require_text("".join(value))
                inner.extend(value.values())
            elif value is not None and kind is not bool:
                raise _malformed("A number is not a whole one: amounts are whole cents.")
        level = inner
    if level:
        raise _malformed(f"The body is nested more than {DEPTH_MAX} deep.")


def _require_text(text: str) -> None:
    if "\x00" in text:
        raise _malformed("A text holds the character zero.")


def _malformed(sentence: str) -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, sentence)
