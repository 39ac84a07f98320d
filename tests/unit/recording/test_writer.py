"""The writer: what waits during a commit forms the next batch, and nobody suffers for another."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from meter_server.domain.commands import OpenTable
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import DEALER
from meter_server.recording.door import Answer, Status, Submission, Unavailable
from meter_server.recording.ports import staff_key
from meter_server.recording.writer import Writer
from meter_server.storage.errors import StorageError

PATIENCE_SECONDS = 20


def message(name: str) -> Submission:
    return Submission(staff_key("1007", name), b"\0" * 32, OpenTable(name), Person("1007", DEALER))


def names(batch: Sequence[Submission]) -> list[str]:
    return [submission.key.text.rpartition(":")[2] for submission in batch]


class Commits:
    """A step that can be held up, as a slow disk would, and that breaks on what it is told to."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.breaks: dict[str, Exception] = {}
        self._may_end = threading.Semaphore(0)
        self.began = threading.Semaphore(0)

    def step(self, batch: Sequence[Submission]) -> list[Answer]:
        self.batches.append(names(batch))
        self.began.release()
        assert self._may_end.acquire(timeout=PATIENCE_SECONDS)
        for name in names(batch):
            if name in self.breaks:
                raise self.breaks[name]
        return [Answer(Status.ANSWERED, name.encode()) for name in names(batch)]

    def end(self, times: int = 1) -> None:
        self._may_end.release(times)


@pytest.fixture
def commits() -> Commits:
    return Commits()


@contextmanager
def clients() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(300) as pool:
        yield pool


def _bodies(answers: list[Answer]) -> list[str]:
    return [answer.body.decode() for answer in answers]


def test_who_waits_during_a_commit_shares_the_next_one(commits: Commits) -> None:
    writer = Writer(commits.step)
    with clients() as pool:
        first = pool.submit(writer.submit, [message("a")])
        assert commits.began.acquire(timeout=PATIENCE_SECONDS)
        others = [
            pool.submit(writer.submit, [message(f"b{n}"), message(f"c{n}")]) for n in range(9)
        ]
        _wait_for_queue(writer, 9)
        commits.end(2)
        assert _bodies(first.result(PATIENCE_SECONDS)) == ["a"]
        for number, other in enumerate(others):
            assert _bodies(other.result(PATIENCE_SECONDS)) == [f"b{number}", f"c{number}"]
    assert commits.batches[0] == ["a"]
    assert len(commits.batches) == 2
    assert sorted(commits.batches[1]) == sorted(f"{x}{n}" for x in "bc" for n in range(9))


def test_a_batch_has_a_size(commits: Commits) -> None:
    writer = Writer(commits.step, messages_max=5)
    with clients() as pool:
        futures = [pool.submit(writer.submit, [message("a")])]
        assert commits.began.acquire(timeout=PATIENCE_SECONDS)
        for batch in ("bcd", "efg", "hi"):
            futures.append(pool.submit(writer.submit, [message(name) for name in batch]))
            _wait_for_queue(writer, len(futures) - 1)
        commits.end(4)
        told = [_bodies(future.result(PATIENCE_SECONDS)) for future in futures]
    assert told == [list("a"), list("bcd"), list("efg"), list("hi")]
    assert commits.batches == [list("a"), list("bcd"), list("efghi")]


def test_more_than_the_queue_holds_come_again(commits: Commits) -> None:
    writer = Writer(commits.step, waiting_max=2)
    with clients() as pool:
        first = pool.submit(writer.submit, [message("a")])
        assert commits.began.acquire(timeout=PATIENCE_SECONDS)
        waiting = [pool.submit(writer.submit, [message(name)]) for name in "bc"]
        _wait_for_queue(writer, 2)
        with pytest.raises(Unavailable, match="send it again"):
            writer.submit([message("d")])
        commits.end(2)
        assert [_bodies(one.result(PATIENCE_SECONDS)) for one in (first, *waiting)] == [
            ["a"],
            ["b"],
            ["c"],
        ]
    assert not any("d" in batch for batch in commits.batches)


def test_what_breaks_breaks_alone(commits: Commits) -> None:
    commits.breaks["c"] = KeyError("a bug")
    writer = Writer(commits.step)
    with clients() as pool:
        first = pool.submit(writer.submit, [message("a")])
        assert commits.began.acquire(timeout=PATIENCE_SECONDS)
        others = {name: pool.submit(writer.submit, [message(name)]) for name in "bcd"}
        _wait_for_queue(writer, 3)
        commits.end(5)  # one alone, three together, then each of the three
        assert _bodies(first.result(PATIENCE_SECONDS)) == ["a"]
        assert _bodies(others["b"].result(PATIENCE_SECONDS)) == ["b"]
        assert _bodies(others["d"].result(PATIENCE_SECONDS)) == ["d"]
        with pytest.raises(KeyError, match="a bug"):
            others["c"].result(PATIENCE_SECONDS)


def test_a_database_that_is_away_is_told_to_everybody_once(commits: Commits) -> None:
    """Trying each alone would only keep everybody waiting."""
    commits.breaks["b"] = StorageError("away")
    writer = Writer(commits.step)
    with clients() as pool:
        first = pool.submit(writer.submit, [message("a")])
        assert commits.began.acquire(timeout=PATIENCE_SECONDS)
        others = [pool.submit(writer.submit, [message(name)]) for name in "bc"]
        _wait_for_queue(writer, 2)
        commits.end(3)
        first.result(PATIENCE_SECONDS)
        for other in others:
            with pytest.raises(StorageError, match="away"):
                other.result(PATIENCE_SECONDS)
        assert _bodies(writer.submit([message("e")])) == ["e"]
    assert len(commits.batches) == 3


def test_the_bell_is_rung_when_a_whole_batch_is_told(commits: Commits) -> None:
    """And after each of them, when one broke and each was kept alone."""
    commits.breaks["c"] = KeyError("a bug")
    sent: list[Future[list[Answer]]] = []
    told: list[list[bool]] = []
    rung = threading.Semaphore(0)

    def ring() -> None:
        told.append([one.done() for one in sent])
        rung.release()

    writer = Writer(commits.step, when_told=ring)
    sent.append(writer.send([message("a")]))
    assert commits.began.acquire(timeout=PATIENCE_SECONDS)
    sent.extend(writer.send([message(name)]) for name in "bcd")
    commits.end(5)
    for _ in range(5):
        assert rung.acquire(timeout=PATIENCE_SECONDS)
    assert told[:4] == [[place <= done for place in range(4)] for done in range(4)]
    assert told[4] == [True] * 4


def _wait_for_queue(writer: Writer, requests: int) -> None:
    deadline = threading.Event()
    for _ in range(PATIENCE_SECONDS * 100):
        if writer.waiting == requests:
            return
        deadline.wait(0.01)
    raise AssertionError(f"{writer.waiting} wait, not {requests}")
