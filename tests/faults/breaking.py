"""Servers with one protection taken away: each must be found out by the checker.

What is here runs inside a server process before it serves. Nothing of it can be reached from the
product.
"""

import threading
import time
from collections.abc import Callable

import psycopg

from meter_server.recording import door
from meter_server.storage import floor
from meter_server.storage.rows import Loaded, Needs, Write

_SLOW_DISK_SECONDS = 0.03


def allow_one_key_twice(database_url: str) -> None:
    """PostgreSQL itself refuses a second message under one key: it is a protection of its own."""
    with psycopg.connect(database_url) as connection:
        connection.execute("ALTER TABLE message DROP CONSTRAINT message_pkey CASCADE")


def forget_what_was_answered() -> None:
    """No deduplication: what comes again is done again."""

    def message(self: door._Fold, submission: door.Submission) -> door.Answer:
        number = (submission.key.device_id or "", submission.key.epoch)
        self.write.numbers.setdefault(number, self.write.read.last_numbers.get(number, 0))
        return self._first_time(submission)

    door._Fold.message = message  # type: ignore[method-assign]


def take_any_number() -> None:
    """No order: a message that is ahead of its turn is recorded before the ones it waits for."""
    in_order = door._Fold.message

    def message(self: door._Fold, submission: door.Submission) -> door.Answer:
        number = (submission.key.device_id or "", submission.key.epoch)
        if submission.key.text not in self._given:
            self.write.numbers[number] = submission.key.number - 1
        return in_order(self, submission)

    door._Fold.message = message  # type: ignore[method-assign]


def answer_before_the_commit() -> None:
    """The answer leaves while the statement is still under way."""
    store, writing = floor.PostgresFloor.attempt, threading.Lock()

    def attempt(
        self: floor.PostgresFloor,
        needs: Needs,
        decide: Callable[[Loaded], Write],
        *,
        locking: bool,
    ) -> bool:
        decided = threading.Event()

        def decide_first(loaded: Loaded) -> Write:
            write = decide(loaded)
            decided.set()
            time.sleep(_SLOW_DISK_SECONDS)
            return write

        def keep() -> None:
            try:
                store(self, needs, decide_first, locking=locking)
            finally:
                decided.set()
                writing.release()

        writing.acquire()
        threading.Thread(target=keep, daemon=True).start()
        return decided.wait()

    floor.PostgresFloor.attempt = attempt  # type: ignore[method-assign]
