"""The sender: one step at a time, and what it makes of each answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from meter_server.contract.device.errors import DeviceError, NotReached, Refused
from table_agent.link import Answered
from table_agent.outbox import Outbox
from table_agent.sender import (
    LONGEST_PAUSE_SECONDS,
    STOPPED_PAUSE_SECONDS,
    TABLE,
    LinkState,
    Sender,
)
from tests.simulation.tables import AT, Clock, MemoryDisk
from tests.unit.agent.test_outbox import COMMAND, answer
from tests.unit.contract.keys import KEY


@dataclass
class Server:
    """Answers as it is told to; everything else is in order."""

    trouble: list[DeviceError] = field(default_factory=list)
    beats: list[str | None] = field(default_factory=list)
    sent: list[list[int]] = field(default_factory=list)
    told: dict[str, Any] = field(
        default_factory=lambda: {"checkpoint": None, "meter": None, "at": AT}
    )
    unreadable: int | None = None
    last_number: int = 0

    def send(self, messages: Sequence[dict[str, Any]]) -> list[Answered]:
        numbers = [message["number"] for message in messages]
        self.sent.append(numbers)
        self._fail()
        if self.unreadable in numbers:
            raise Refused(422, {"detail": "It is not as described."})
        return [answer(number) for number in numbers]

    def beat(self, receipt: str | None) -> int:
        self.beats.append(receipt)
        self._fail()
        return self.last_number

    def table(self) -> dict[str, Any]:
        self._fail()
        return self.told

    def _fail(self) -> None:
        if self.trouble:
            raise self.trouble.pop(0)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def outbox() -> Outbox:
    return Outbox(MemoryDisk(), "t1-a", 1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sender(outbox: Outbox, server: Server, clock: Clock) -> Sender:
    return Sender(outbox, server, clock, KEY, Random(1))  # noqa: S311 - a test


def put(outbox: Outbox, times: int = 1) -> None:
    for _ in range(times):
        outbox.put(AT, "1001", COMMAND)


def test_a_hundred_at_a_time_when_it_catches_up(
    outbox: Outbox, server: Server, sender: Sender
) -> None:
    put(outbox, 230)
    while sender.step() == 0:
        pass
    assert [(batch[0], len(batch)) for batch in server.sent] == [(1, 100), (101, 100), (201, 30)]
    assert outbox.queued_count() == 0


def test_a_heartbeat_comes_first_and_shows_the_last_receipt(
    outbox: Outbox, server: Server, sender: Sender, clock: Clock
) -> None:
    put(outbox)
    sender.step()
    assert (server.beats, server.sent) == ([None], [[1]])
    clock.now += 6
    sender.step()
    assert server.beats == [None, answer(1).note]


def test_pauses_grow_and_are_spread(outbox: Outbox, server: Server, sender: Sender) -> None:
    put(outbox)
    server.trouble = [NotReached("Nobody answers.") for _ in range(40)]
    pauses = [sender.step() for _ in range(40)]
    assert sender.status.state is LinkState.DOWN
    assert max(pauses[:1]) <= 0.25
    assert max(pauses) <= LONGEST_PAUSE_SECONDS
    assert max(pauses) > LONGEST_PAUSE_SECONDS / 2
    assert len({round(pause, 3) for pause in pauses}) > 30
    assert (sender.step(), sender.status.state) == (0, LinkState.UP)


@pytest.mark.parametrize(
    "refused",
    [
        Refused(401, {"detail": "The device t1-a is frozen: it forked. Have it enrolled again."}),
        Refused(409, {"kind": "history-lost", "detail": "The server does not have this."}),
        Refused(409, {"kind": "forked", "detail": "Another message came under this number."}),
        DeviceError("The server's receipt cannot be trusted."),
    ],
)
def test_some_answers_stop_it_with_a_sentence(
    refused: DeviceError, outbox: Outbox, server: Server, sender: Sender
) -> None:
    put(outbox)
    server.trouble = [refused]
    assert sender.step() == STOPPED_PAUSE_SECONDS
    assert (sender.status.state, sender.status.sentence) == (LinkState.STOPPED, str(refused))
    assert outbox.queued_count() == 1
    # Somebody has let it in again.
    assert sender.step() == 0
    assert (sender.status.state, outbox.queued_count()) == (LinkState.UP, 0)


def test_too_busy_is_not_a_no(outbox: Outbox, server: Server, sender: Sender) -> None:
    put(outbox)
    server.trouble = [Refused(503, {"detail": "The queue is full."}), Refused(599, {})]
    sender.step()
    assert sender.status.state is LinkState.DOWN
    sender.step()
    sender.step()
    assert (sender.status.state, outbox.queued_count()) == (LinkState.UP, 0)


@pytest.mark.parametrize(("asked", "honoured"), [(5, 5), (60, LONGEST_PAUSE_SECONDS)])
def test_a_server_that_asks_for_time_is_given_it(
    asked: int, honoured: float, outbox: Outbox, server: Server, sender: Sender
) -> None:
    put(outbox)
    server.trouble = [Refused(503, {"detail": "The queue is full."}, asked)]
    # Spread even then: every table was told the same.
    assert honoured < sender.step() <= honoured + 0.25


def test_a_message_that_cannot_be_read_is_found_and_stops_what_is_behind_it(
    outbox: Outbox, server: Server, sender: Sender
) -> None:
    put(outbox, 5)
    server.unreadable = 3
    # Until it is found the server hears us; then the sentence says which one it is, and why.
    steps = [(sender.step(), sender.status.state, sender.status.sentence) for _ in range(6)]
    sentence = (
        "The server cannot read message 3 and records nothing behind it: It is not as described. "
        "Have this tablet enrolled again."
    )
    assert steps[:5] == [(0, LinkState.UP, "")] * 5
    assert steps[5:] == [(STOPPED_PAUSE_SECONDS, LinkState.STOPPED, sentence)]
    assert outbox.last_answered == 2
    assert server.sent == [[1, 2, 3, 4, 5], [1], [2, 3, 4, 5], [2], [3, 4, 5], [3]]


def test_a_heartbeat_that_cannot_be_read_is_blamed_on_no_message(
    outbox: Outbox, server: Server, sender: Sender
) -> None:
    put(outbox, 2)
    server.trouble = [Refused(422, {"detail": "That is the receipt of another device."})]
    assert sender.step() == STOPPED_PAUSE_SECONDS
    assert sender.status.sentence == "That is the receipt of another device."
    sender.step()
    assert (sender.status.state, server.sent) == (LinkState.UP, [[1, 2]])


def test_a_server_that_knows_more_of_us_than_we_do_stops_us(
    outbox: Outbox, server: Server, sender: Sender
) -> None:
    server.last_number = 4
    put(outbox)
    sender.step()
    assert sender.status.state is LinkState.STOPPED
    assert "recorded 4 messages of this tablet, whose outbox knows 1" in sender.status.sentence
    assert server.sent == []


def test_what_moves_all_the_time_is_not_written_all_the_time(
    outbox: Outbox, server: Server, sender: Sender, clock: Clock
) -> None:
    meter = {"system": "one", "value_micros": 1, "seq": 1}
    server.told = {"checkpoint": None, "meter": meter, "at": AT, "open": True}
    sender.step()
    clock.now += 3
    server.told = {**server.told, "meter": {**meter, "value_micros": 2, "seq": 2}}
    sender.step()
    kept = outbox.recall(TABLE)
    assert kept is not None
    assert kept["meter"]["value_micros"] == 1
    assert sender.told == server.told
    clock.now += 3
    server.told = {**server.told, "open": False}
    sender.step()
    assert outbox.recall(TABLE) == server.told
