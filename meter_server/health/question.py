"""A question that may never be answered, and askers who do not wait for ever."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Question(Generic[Answer]):
    """Asked in a thread of its own, once at a time; those who ask meanwhile share the answer.

    A frozen server never answers, and a deadline must not cancel a statement (a cancelled commit
    looks like a commit). So the asker leaves, and the question stays open until it is answered.
    """

    def __init__(self, question: Callable[[], Answer], deadline_seconds: float) -> None:
        self._question = question
        self._deadline_seconds = deadline_seconds
        self._lock = Lock()
        self._open: Future[Answer] | None = None

    def ask(self) -> Answer:
        """Give the answer, or raise ``TimeoutError`` at the deadline."""
        return self._join().result(self._deadline_seconds)

    def _join(self) -> Future[Answer]:
        with self._lock:
            if self._open is None or self._open.done():
                self._open = Future()
                # A daemon: an open question must not keep the process alive.
                Thread(target=self._answer, args=[self._open], daemon=True).start()
            return self._open

    def _answer(self, future: Future[Answer]) -> None:
        try:
            future.set_result(self._question())
        except BaseException as error:  # noqa: BLE001 (handed to whoever asked)
            future.set_exception(error)
