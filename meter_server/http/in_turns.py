"""One question to the database for everybody who asks at the same time, on one event loop.

As ``access.together`` does it for threads: an answer is never older than its question.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")
_Turn = asyncio.Future[Mapping[Question, Answer]]


class InTurns(Generic[Question, Answer]):
    def __init__(
        self,
        ask_all: Callable[[Collection[Question]], Mapping[Question, Answer]],
        threads: Executor,
    ) -> None:
        self._ask_all = ask_all
        self._threads = threads
        self._waiting: list[tuple[Question, _Turn[Question, Answer]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer | None:
        """None where there is no answer; what breaks, breaks for all who asked together."""
        turn: _Turn[Question, Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, turn))
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_while_somebody_waits())
        return (await turn).get(question)

    async def _ask_while_somebody_waits(self) -> None:
        try:
            while self._waiting:
                together, self._waiting = self._waiting, []
                await self._ask_for(together)
        finally:
            self._asking = None

    async def _ask_for(self, together: Sequence[tuple[Question, _Turn[Question, Answer]]]) -> None:
        loop, questions = asyncio.get_running_loop(), {question for question, _ in together}
        try:
            answers = await loop.run_in_executor(self._threads, self._ask_all, questions)
        except Exception as error:  # noqa: BLE001 - told to whoever waits for it
            for turn in _waiting(together):
                turn.set_exception(error)
        else:
            for turn in _waiting(together):
                turn.set_result(answers)


def _waiting(
    together: Iterable[tuple[Question, _Turn[Question, Answer]]],
) -> Iterator[_Turn[Question, Answer]]:
    """Without those who went away meanwhile."""
    return (turn for _, turn in together if not turn.done())
