"""Questions on one event loop: one for all who wait, and no answer older than its question."""

import asyncio
import threading
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import pytest

from meter_server.http.in_turns import InTurns

SECONDS_MAX = 10


class Library:
    """Answers with the length of a word; a question is answered when somebody says so."""

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


def _given(library: Library, first: str, *later: str) -> list[int | BaseException | None]:
    """What they are told who ask while the first question is out."""

    async def ask() -> list[int | BaseException | None]:
        in_turns: InTurns[str, int] = InTurns(library.answer, threads)
        asking = [asyncio.create_task(in_turns.ask(first))]
        await asyncio.to_thread(library.is_asked.wait, SECONDS_MAX)
        asking += [asyncio.create_task(in_turns.ask(word)) for word in later]
        await asyncio.sleep(0)
        library.may_answer.set()
        return await asyncio.gather(*asking, in_turns.ask("last"), return_exceptions=True)

    with ThreadPoolExecutor(1) as threads:
        return asyncio.run(ask())


def test_who_asks_while_a_question_is_out_is_in_the_next() -> None:
    library = Library()
    assert _given(library, "a", "bb", "ccc", "bb", "unknown") == [1, 2, 3, 2, None, 4]
    assert library.asked == [{"a"}, {"bb", "ccc", "unknown", "last"}]


def test_a_question_that_was_out_before_does_not_answer_the_same_one_later() -> None:
    library = Library()
    assert _given(library, "a", "a") == [1, 1, 4]
    assert library.asked == [{"a"}, {"a", "last"}]


def test_who_goes_away_is_in_nobodys_way() -> None:
    library = Library()

    async def ask() -> None:
        in_turns: InTurns[str, int] = InTurns(library.answer, threads)
        gone, patient = (asyncio.create_task(in_turns.ask(word)) for word in ("a", "bb"))
        await asyncio.to_thread(library.is_asked.wait, SECONDS_MAX)
        gone.cancel()
        await asyncio.sleep(0)
        library.may_answer.set()
        assert await asyncio.wait_for(patient, SECONDS_MAX) == 2
        assert await asyncio.wait_for(in_turns.ask("ccc"), SECONDS_MAX) == 3

    with ThreadPoolExecutor(1) as threads:
        asyncio.run(ask())


def test_what_breaks_breaks_for_those_who_asked_together_and_for_nobody_after() -> None:
    library = Library()
    library.may_answer.set()

    async def ask() -> None:
        in_turns: InTurns[str, int] = InTurns(library.answer, threads)
        both = asyncio.gather(in_turns.ask("broken"), in_turns.ask("bb"), return_exceptions=True)
        assert [str(one) for one in await both] == ["no library", "no library"]
        assert await in_turns.ask("bb") == 2
        with pytest.raises(LookupError, match="no library"):
            await in_turns.ask("broken")
        assert await in_turns.ask("unknown") is None

    with ThreadPoolExecutor(1) as threads:
        asyncio.run(ask())
    assert library.asked == [{"broken", "bb"}, {"bb"}, {"broken"}, {"unknown"}]
