"""Who may call an endpoint. A guard admits a caller or raises the problem that says why not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Generic, TypeVar

from meter_server.http.api.parts import Parts

Caller = TypeVar("Caller")


@dataclass(frozen=True)
class Guard(Generic[Caller]):
    """Every endpoint has one; whom it admits is the first argument of the endpoint's function."""

    admit: Callable[[Parts], Caller]
    security: tuple[str, ...] = ()
    """The security schemes of the OpenAPI document, any one of which will do."""
    headers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """Headers the caller must send, each with its JSON schema."""
    refuses: tuple[HTTPStatus, ...] = ()


@dataclass(frozen=True)
class Anybody:
    """A caller who need not say who they are."""

    parts: Parts


ANYBODY = Guard(Anybody)
