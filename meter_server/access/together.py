"""One question to the database for everybody who asks at the same time.

Whoever asks while a question is out waits for the next one, as with the writer's commits. An answer
is never older than its question: what was changed before somebody asked is in it.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Together(Generic[Question, Answer]):
    """Has no thread of its own: the first of those who wait asks for all of them."""

    def __init__(
        self, ask_all: Callable[[Collection[Question]], Mapping[Question, Answer]]
    ) -> None:
        self._ask_all = ask_all
        self._lock = threading.Lock()
        self._is_out = False
        self._waiting: list[tuple[Question, Future[Mapping[Question, Answer] | None]]] = []

    def ask(self, question: Question) -> Answer | None:
        """None where there is no answer; what breaks, breaks for all who asked together."""
        turn: Future[Mapping[Question, Answer] | None] = Future()
        with self._lock:
            self._waiting.append((question, turn))
            if not self._is_out:
                self._is_out = True
                turn.set_result(None)
        answers = turn.result()
        if answers is None:  # ours is the next question
            answers = self._ask_for_all()
        return answers.get(question)

    def _ask_for_all(self) -> Mapping[Question, Answer]:
        with self._lock:
            together, self._waiting = self._waiting, []
        others = [turn for _, turn in together if not turn.done()]
        try:
            answers = self._ask_all({question for question, _ in together})
        except BaseException as error:
            for turn in others:
                turn.set_exception(error)
            raise
        else:
            for turn in others:
                turn.set_result(answers)
            return answers
        finally:
            self._let_the_next_ask()

    def _let_the_next_ask(self) -> None:
        with self._lock:
            self._is_out = bool(self._waiting)
            if self._waiting:
                self._waiting[0][1].set_result(None)
