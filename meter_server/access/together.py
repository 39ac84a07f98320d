"""One question to the database for everybody who asks at the same time.

Whoever asks while a question is out waits for the next one, as with the writer's commits. An answer
is never older than its question: what was changed before somebody asked is in it.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Together(Generic[Question, Answer]):
    """Its one thread asks for all of those who wait, and starts with the first of them."""

    def __init__(
        self,
        ask_all: Callable[[Collection[Question]], Mapping[Question, Answer]],
        when_told: Callable[[], None] = lambda: None,
    ) -> None:
        """``when_told`` is called after everybody who asked together has their answer."""
        self._ask_all = ask_all
        self._when_told = when_told
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asking")
        self._lock = threading.Lock()
        self._is_out = False
        self._waiting: list[tuple[Question, Future[Answer | None]]] = []

    def ask(self, question: Question) -> Answer | None:
        """None where there is no answer; what breaks, breaks for all who asked together."""
        return self.asked(question).result()

    def asked(self, question: Question) -> "Future[Answer | None]":
        """The same for whoever waits in another way."""
        turn: Future[Answer | None] = Future()
        turn.set_running_or_notify_cancel()  # whoever goes away is in nobody's way
        with self._lock:
            self._waiting.append((question, turn))
            is_first, self._is_out = not self._is_out, True
        if is_first:
            self._thread.submit(self._ask_while_somebody_waits)
        return turn

    def _ask_while_somebody_waits(self) -> None:
        while together := self._next():
            try:
                answers = self._ask_all({question for question, _ in together})
            except BaseException as error:  # noqa: BLE001 - told to whoever waits for it
                for _, turn in together:
                    turn.set_exception(error)
            else:
                for question, turn in together:
                    turn.set_result(answers.get(question))
            self._when_told()

    def _next(self) -> list[tuple[Question, Future[Answer | None]]]:
        with self._lock:
            together, self._waiting = self._waiting, []
            self._is_out = bool(together)
        return together
