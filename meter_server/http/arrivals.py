"""What other threads have made for those who wait on the event loop, brought to them all at once.

A thread that wakes the loop for each of its results gives its turn away each time, and stands in
line for the interpreter's lock between one and the next. So it makes all of them, and rings once.
"""

import asyncio
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

Result = TypeVar("Result")


class Arrivals:
    def __init__(self) -> None:
        self._made: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None

    def of(self, making: "Future[Result]") -> "asyncio.Future[Result]":
        """The same on the event loop; whoever makes it rings afterwards."""
        self._loop = loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Result] = loop.create_future()
        making.add_done_callback(lambda made: self._made.append((waiting, made)))
        if making.done():  # perhaps the bell has been rung by now
            loop.call_soon(self._hand_over)
        return waiting

    def ring(self) -> None:
        """From any thread: what it had to make is made."""
        if self._made and self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and nobody waits
                self._loop.call_soon_threadsafe(self._hand_over)

    def _hand_over(self) -> None:
        while self._made:
            waiting, made = self._made.popleft()
            if waiting.done():  # whoever waited has gone away
                continue
            error = made.exception()
            if error is None:
                waiting.set_result(made.result())
            elif isinstance(error, StopIteration):  # which a coroutine takes for its own end
                waiting.set_exception(RuntimeError("what was asked for ended in StopIteration"))
            else:
                waiting.set_exception(error)
