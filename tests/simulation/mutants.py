"""Breaks a function of the product on purpose, to see whether anybody notices."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def broken(function: Callable[..., Any], right: str, wrong: str) -> Iterator[None]:
    """The function with a piece of its text replaced, wherever it was imported to.

    Only its code object is exchanged, so the many names it goes by all see the broken one.
    """
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(right) == 1, f"{function.__name__} no longer says {right!r} once"
    names: dict[str, Any] = {}
    exec(source.replace(right, wrong), dict(function.__globals__), names)  # noqa: S102
    sound = function.__code__
    function.__code__ = names[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = sound
