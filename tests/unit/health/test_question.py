"""A question that hangs holds nobody up, and is not asked twice meanwhile."""

import threading
import time

import pytest

from meter_server.health.question import Question


def test_the_answer_and_the_error_reach_the_asker() -> None:
    assert Question(lambda: 42, deadline_seconds=5).ask() == 42
    with pytest.raises(ZeroDivisionError):
        Question(lambda: 1 // 0, deadline_seconds=5).ask()


def test_askers_leave_at_the_deadline_and_share_one_open_question() -> None:
    asked: list[int] = []
    release = threading.Event()

    def slow() -> int:
        asked.append(1)
        release.wait(20)
        return len(asked)

    question = Question(slow, deadline_seconds=0.2)
    for _ in range(3):
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            question.ask()
        assert time.monotonic() - began < 5
    assert len(asked) == 1

    release.set()
    while question.ask() == 1:  # the open question's answer, until a new one is asked
        time.sleep(0.01)
    assert question.ask() >= 2
