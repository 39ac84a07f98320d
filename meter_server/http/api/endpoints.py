"""An endpoint, declared once.

    floor = Family("floor", "Systems and tables")

    @floor.post("/v1/tables/<table_id>/close", staff, "Close a table.", refuses=[CONFLICT])
    def close(caller: Staff, table_id: Name, body: Closing) -> Done: ...

The types of the function say everything else: ``body`` and ``query`` are parsed by their models,
other arguments come from the path, and what is returned is written by its model (None: 204).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from inspect import signature
from typing import Any, TypeVar, get_type_hints

from flask import Flask, Response, request
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from werkzeug.routing import PathConverter

from meter_server import failpoints
from meter_server.domain.writing import NAME
from meter_server.failpoints import Place
from meter_server.http.api import bodies, limits
from meter_server.http.api.guards import Guard
from meter_server.http.api.parts import Parts
from meter_server.http.left import left
from meter_server.http.problems import Problem

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPLAINTS_MAX = 3
_NAMES = f"match pattern '^{NAME.pattern}$'"


@dataclass(frozen=True)
class Endpoint:
    """What is known of one endpoint: enough to serve it and to describe it."""

    method: str
    path: str
    family: str
    summary: str
    guard: Guard[Any]
    status: HTTPStatus
    refuses: tuple[HTTPStatus, ...]
    function: Callable[..., Any]
    body: type[BaseModel] | None
    query: type[BaseModel] | None
    in_path: Mapping[str, Any]
    answer: type[BaseModel] | None

    @property
    def name(self) -> str:
        return f"{self.family}.{self.function.__name__}"

    def serve(self, parts: Parts, **from_path: str) -> Response:
        """Guard, parse, call, render."""
        if (failure := left().failure) is not None:
            raise failure
        limits.count(parts.limits, limits.ADDRESS, request.remote_addr or "unknown")
        caller = self.guard.admit(parts)
        arguments: dict[str, Any] = {
            name: _path_value(self.in_path[name], text) for name, text in from_path.items()
        }
        if self.query is not None:
            arguments["query"] = _query(self.query)
        if self.body is not None:
            arguments["body"] = _body(self.body)
        answer = self.function(caller, **arguments)
        if answer is None:
            return Response(status=HTTPStatus.NO_CONTENT)
        written = failpoints.written(Place.REPLYING, answer.model_dump_json())
        return Response(written, self.status, content_type="application/json")


class Family:
    """Endpoints about one subject."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self.description = description
        self.endpoints: list[Endpoint] = []

    def get(
        self, path: str, guard: Guard[Any], summary: str, *, refuses: Iterable[HTTPStatus] = ()
    ) -> Callable[[Function], Function]:
        """A question: it changes nothing."""
        return self._declare("GET", path, guard, summary, HTTPStatus.OK, refuses)

    def post(
        self,
        path: str,
        guard: Guard[Any],
        summary: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        refuses: Iterable[HTTPStatus] = (),
    ) -> Callable[[Function], Function]:
        """A request that something be done."""
        return self._declare("POST", path, guard, summary, status, refuses)

    def delete(
        self, path: str, guard: Guard[Any], summary: str, *, refuses: Iterable[HTTPStatus] = ()
    ) -> Callable[[Function], Function]:
        """A request that something end."""
        return self._declare("DELETE", path, guard, summary, HTTPStatus.OK, refuses)

    def _declare(
        self,
        method: str,
        path: str,
        guard: Guard[Any],
        summary: str,
        status: HTTPStatus,
        refuses: Iterable[HTTPStatus],
    ) -> Callable[[Function], Function]:
        def declare(function: Function) -> Function:
            hints = get_type_hints(function, include_extras=True)
            answer = hints.pop("return")
            names = list(signature(function).parameters)[1:]
            self.endpoints.append(
                Endpoint(
                    method=method,
                    path=path,
                    family=self.name,
                    summary=summary,
                    guard=guard,
                    status=HTTPStatus.NO_CONTENT if answer is type(None) else status,
                    refuses=tuple(refuses),
                    function=function,
                    body=hints.get("body"),
                    query=hints.get("query"),
                    in_path={n: hints[n] for n in names if n not in ("body", "query")},
                    answer=None if answer is type(None) else answer,
                )
            )
            return function

        return declare


def install(app: Flask, families: Iterable[Family], parts: Parts) -> None:
    """Serve what is declared."""
    app.config["MAX_CONTENT_LENGTH"] = bodies.BYTES_MAX
    app.url_map.converters["prize"] = PrizeConverter
    for family in families:
        for endpoint in family.endpoints:
            app.add_url_rule(
                endpoint.path,
                endpoint.name,
                partial(endpoint.serve, parts),
                methods=[endpoint.method],
            )


class PrizeConverter(PathConverter):
    """A prize itself, whose name has slashes, and nothing that stands under it.

    Otherwise a prize's payment would be a prize that can be read, and `Allow` would say so.
    """

    regex = r"[^/].*?(?<!/determination)(?<!/withholding)(?<!/payment)(?<!/winner)(?<!/top-ups)"


def _path_value(kind: Any, text: str) -> Any:
    try:
        return TypeAdapter(kind).validate_strings(text)
    except ValidationError:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no {text} here: see the list.") from None


def _query(model: type[BaseModel]) -> BaseModel:
    given = request.args.to_dict(flat=False)
    for name, values in given.items():
        if len(values) > 1:
            raise _unprocessable(f"'{name}' is given {len(values)} times.")
    try:
        return model.model_validate_strings({name: values[0] for name, values in given.items()})
    except ValidationError as error:
        raise _unprocessable(_sentence(error)) from None


def _body(model: type[BaseModel]) -> BaseModel:
    try:
        return model.model_validate_json(bodies.received())
    except ValidationError as error:
        raise _unprocessable(_sentence(error)) from None


def _unprocessable(sentence: str) -> Problem:
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)


def _sentence(error: ValidationError) -> str:
    """Say where and what, never the value: it may be a password."""
    details = error.errors(include_url=False, include_input=False, include_context=False)
    said = " ".join(_complaint(detail) for detail in details[:_COMPLAINTS_MAX])
    more = len(details) - _COMPLAINTS_MAX
    return f"{said} And {more} more." if more > 0 else said


def _complaint(detail: ErrorDetails) -> str:
    place = ".".join(str(step) for step in detail["loc"])[:100]
    if detail["type"] == "missing":
        return f"'{place}' is missing."
    if detail["type"] == "extra_forbidden":
        return f"'{place}' is not a field here: leave it out."
    if _NAMES in detail["msg"]:
        return f"'{place}': use up to 40 letters, digits, dots, dashes and underscores."
    reason = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    reason = reason[:1].lower() + reason[1:]
    return f"'{place}': {reason}." if place else f"The body: {reason}."
