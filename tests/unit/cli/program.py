"""What typing a command line gives."""

from collections.abc import Callable
from typing import NamedTuple


class Typed(NamedTuple):
    exit_code: int | str | None
    output: str
    error: str


Program = Callable[..., Typed]
