"""The writer in front of the door: whoever waits while a batch is kept forms the next batch.

One thread does all the writing of a process, so a commit is shared by everybody who waits, and no
request that goes away can cut one short.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, Full, Queue

from meter_server import failpoints
from meter_server.failpoints import Place
from meter_server.recording.door import Answer, Submission, Unavailable
from meter_server.storage.errors import StorageError

Step = Callable[[Sequence[Submission]], list[Answer]]

MESSAGES_MAX = 1000
"""In one batch: beyond that a commit takes longer than it saves."""
WAITING_MAX = 256
"""Requests; more would wait longer than they would take to come again."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    submissions: Sequence[Submission]
    answers: "Future[list[Answer]]" = field(default_factory=Future)


class Writer:
    """Made before a process forks if need be: the thread starts with the first request."""

    def __init__(
        self,
        step: Step,
        *,
        messages_max: int = MESSAGES_MAX,
        waiting_max: int = WAITING_MAX,
        when_told: Callable[[], None] = lambda: None,
    ) -> None:
        """``when_told`` is called after everybody whose commit it was has their answer."""
        self._step = step
        self._when_told = when_told
        self._messages_max = messages_max
        self._queue: Queue[_Waiting] = Queue(waiting_max)
        self._held_back: _Waiting | None = None
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Wait until it is durable, and answer in order; Unavailable where too many wait."""
        return self.send(submissions).result()

    def send(self, submissions: Sequence[Submission]) -> "Future[list[Answer]]":
        """The same for whoever waits in another way."""
        self._start()
        waiting = _Waiting(submissions)
        waiting.answers.set_running_or_notify_cancel()  # whoever goes away stops nothing
        try:
            self._queue.put_nowait(waiting)
        except Full:
            raise Unavailable(
                "More is being recorded than the server can keep up with: send it again."
            ) from None
        return waiting.answers

    @property
    def waiting(self) -> int:
        """How many requests wait for the next batch."""
        return self._queue.qsize()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._keep(self._next_batch())
            self._when_told()

    def _next_batch(self) -> list[_Waiting]:
        """Everybody who waits by now, and nobody who would have to be waited for."""
        batch = [self._held_back or self._queue.get()]
        self._held_back = None
        size = len(batch[0].submissions)
        while True:
            try:
                waiting = self._queue.get_nowait()
            except Empty:
                return batch
            size += len(waiting.submissions)
            if size > self._messages_max:
                self._held_back = waiting
                return batch
            batch.append(waiting)

    def _keep(self, batch: list[_Waiting]) -> None:
        try:
            answers = self._step([one for waiting in batch for one in waiting.submissions])
        except (StorageError, Unavailable) as error:
            for waiting in batch:
                waiting.answers.set_exception(error)
        except Exception as error:  # noqa: BLE001 - told to whoever waits for it
            if len(batch) == 1:
                batch[0].answers.set_exception(error)
                return
            # What broke is in one of them: the others must not suffer.
            for waiting in batch:
                self._keep([waiting])
                self._when_told()
        else:
            failpoints.reach(Place.COMMITTED)
            given = iter(answers)
            for waiting in batch:
                waiting.answers.set_result([next(given) for _ in waiting.submissions])
