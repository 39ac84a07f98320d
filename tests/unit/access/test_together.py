"""Questions asked together: one for all who wait, and no answer older than its question."""

import threading
from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from meter_server.access.together import Together

SECONDS_MAX = 10


class Library:
    """Answers with the length of a word; the first question is answered when somebody says so."""

    def __init__(self) -> None:
        self.asked: list[set[str]] = []
        self.is_asked = threading.Event()
        self.may_answer = threading.Event()

    def answer(self, words: Collection[str]) -> dict[str, int]:
        self.asked.append(set(words))
        self.is_asked.set()
        assert self.may_answer.wait(SECONDS_MAX)
        if "broken" in words:
            raise LookupError("no library")
        return {word: len(word) for word in words if word != "unknown"}


def _all_ask(together: Together[str, int], first: str, later: list[str]) -> list[object]:
    """The later ones while the first question is out."""
    library: Library = together._ask_all.__self__  # type: ignore[attr-defined]
    with ThreadPoolExecutor(1 + len(later)) as people:
        asking = [people.submit(together.ask, first)]
        assert library.is_asked.wait(SECONDS_MAX)
        asking += [people.submit(together.ask, word) for word in later]
        while len(together._waiting) < len(later):
            pass
        library.may_answer.set()
        return [one.exception(SECONDS_MAX) or one.result() for one in asking]


def test_who_asks_while_a_question_is_out_is_in_the_next() -> None:
    library = Library()
    given = _all_ask(Together(library.answer), "a", ["bb", "ccc", "bb", "unknown"])
    assert given == [1, 2, 3, 2, None]
    assert library.asked == [{"a"}, {"bb", "ccc", "unknown"}]


def test_a_question_that_was_out_before_does_not_answer_the_same_one_later() -> None:
    library = Library()
    assert _all_ask(Together(library.answer), "a", ["a"]) == [1, 1]
    assert library.asked == [{"a"}, {"a"}]


def test_what_breaks_breaks_for_those_who_asked_together_and_for_nobody_after() -> None:
    library = Library()
    together = Together(library.answer)
    first, *later = _all_ask(together, "a", ["broken", "bb"])
    assert first == 1
    assert [str(one) for one in later] == ["no library", "no library"]
    assert together.ask("bb") == 2


def test_who_goes_away_is_in_nobodys_way() -> None:
    library = Library()
    together = Together(library.answer)
    gone, patient = together.asked("a"), together.asked("bb")
    gone.cancel()
    library.may_answer.set()
    assert patient.result(SECONDS_MAX) == 2
    assert together.ask("ccc") == 3


def test_whoever_asks_alone_is_answered_or_told() -> None:
    library = Library()
    library.may_answer.set()
    together = Together(library.answer)
    assert [together.ask("a"), together.ask("bb"), together.ask("unknown")] == [1, 2, None]
    with pytest.raises(LookupError, match="no library"):
        together.ask("broken")
    assert together.ask("bb") == 2


def test_the_bell_is_rung_when_all_who_asked_together_are_told() -> None:
    library, told = Library(), list[list[bool]]()
    turns: list[Future[int | None]] = []
    rung = threading.Semaphore(0)

    def ring() -> None:
        told.append([turn.done() for turn in turns])
        rung.release()

    together = Together(library.answer, ring)
    turns.append(together.asked("a"))
    assert library.is_asked.wait(SECONDS_MAX)
    turns.extend(together.asked(question) for question in ("bb", "broken", "ccc"))
    library.may_answer.set()
    for _ in range(2):
        assert rung.acquire(timeout=SECONDS_MAX)
    assert told == [[True, False, False, False], [True] * 4]
