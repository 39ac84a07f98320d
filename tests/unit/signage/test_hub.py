"""The hub tells every screen the latest floor, and never an older one."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from signage.gateway.hub import FORGET_SECONDS, PACE_SECONDS, STALE_SECONDS, Hub
from signage.gateway.views import Picture, View
from tests.unit.signage.floors import floor, hit, meter, table


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Screen:
    def __init__(self, view: View = View()) -> None:  # noqa: B008 - it is frozen
        self.view = view
        self.heard: list[bytes] = []
        self.is_stuck = False

    def send(self, event: bytes) -> None:
        self.heard.append(event)

    @property
    def events(self) -> list[tuple[str, Any]]:
        return [_read(event) for event in self.heard]

    @property
    def values(self) -> list[int]:
        return [
            said["meters"][0]["value_micros"] for kind, said in self.events if kind != "waiting"
        ]


def _read(event: bytes) -> tuple[str, Any]:
    lines = dict(line.split(": ", 1) for line in event.decode().strip().split("\n"))
    return lines["event"], json.loads(lines["data"])


def digest(event: bytes) -> str:
    return event.decode().split("\n")[0].removeprefix("id: ")


def playing(play: Callable[[Hub, Clock], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        await play(Hub(now=clock), clock)

    asyncio.run(run())


def sent(hub: Hub) -> None:
    """What waits to be sent goes out now, without the pause."""
    hub._send()


def test_a_screen_is_told_everything_first_and_then_what_moved() -> None:
    async def play(hub: Hub, _clock: Clock) -> None:
        hub.take(floor(1))
        screen = Screen()
        hub.add(screen, None)
        hub.take(floor(2, meters=[meter(value_micros=10_000_340_600, seq=2)]))
        sent(hub)
        assert [kind for kind, _ in screen.events] == ["floor", "values"]
        assert screen.values == [10_000_000_000, 10_000_340_600]

    playing(play)


def test_when_more_than_values_changed_all_is_told() -> None:
    async def play(hub: Hub, _clock: Clock) -> None:
        hub.take(floor(1))
        screen = Screen(View(table="T1"))
        hub.add(screen, None)
        hub.take(floor(2, tables=[table(registered=[1, 4], round="t1/1/1", playing=True)]))
        sent(hub)
        assert screen.events[-1][0] == "floor"
        assert screen.events[-1][1]["table"]["registered"] == [1, 4]

    playing(play)


@pytest.mark.rule("SGN-3")
def test_an_older_floor_is_never_shown_after_a_later_one() -> None:
    async def play(hub: Hub, _clock: Clock) -> None:
        screen = Screen()
        hub.add(screen, None)
        for order, value in ((5, 500), (3, 300), (5, 500), (4, 400), (6, 600), (1, 100)):
            hub.take(floor(order, meters=[meter(value_micros=value)]))
            sent(hub)
        assert screen.values == [500, 500, 500, 500, 600, 600]

    playing(play)


def test_an_older_floor_makes_the_shown_one_no_fresher() -> None:
    async def play(hub: Hub, clock: Clock) -> None:
        hub.take(floor(5))
        clock.seconds += 4
        assert not hub.take(floor(4))
        assert hub.age_seconds == 4

    playing(play)


def test_a_restored_database_is_believed_after_half_a_minute_of_silence() -> None:
    async def play(hub: Hub, clock: Clock) -> None:
        hub.take(floor(500))
        clock.seconds += FORGET_SECONDS - 0.1
        assert not hub.take(floor(2))
        clock.seconds += 0.1
        assert hub.take(floor(2), age_seconds=1)
        assert hub.age_seconds == 1

    playing(play)


def test_a_screen_that_comes_back_with_the_same_picture_is_told_the_values_alone() -> None:
    async def play(hub: Hub, _clock: Clock) -> None:
        hub.take(floor(1))
        first = Screen()
        hub.add(first, None)
        again, other = Screen(), Screen()
        hub.add(again, digest(first.heard[0]))
        hub.add(other, "0000000000000000")
        assert [kind for kind, _ in again.events] == ["values"]
        assert [kind for kind, _ in other.events] == ["floor"]

    playing(play)


def test_a_screen_hears_that_nothing_is_known_yet() -> None:
    async def play(hub: Hub, _clock: Clock) -> None:
        screen = Screen()
        hub.add(screen, None)
        sent(hub)
        assert [kind for kind, _ in screen.events] == ["waiting", "waiting"]

    playing(play)


def test_the_age_of_the_values_is_told_with_each_event() -> None:
    async def play(hub: Hub, clock: Clock) -> None:
        screen = Screen()
        hub.take(floor(1), age_seconds=0.5)
        hub.add(screen, None)
        clock.seconds += 3
        sent(hub)
        assert [said["age_ms"] for _, said in screen.events] == [500, 3500]

    playing(play)


def test_screens_are_stale_when_nothing_comes_or_when_they_take_nothing() -> None:
    async def play(hub: Hub, clock: Clock) -> None:
        hub.take(floor(1))
        one, two = Screen(), Screen(View(table="T1"))
        hub.add(one, None)
        hub.add(two, None)
        assert (hub.screens, hub.stale_screens) == (2, 0)
        one.is_stuck = True
        assert hub.stale_screens == 1
        clock.seconds += STALE_SECONDS + 0.1
        assert hub.stale_screens == 2
        hub.remove(one)
        hub.remove(two)
        assert hub.screens == 0

    playing(play)


@pytest.mark.rule("SGN-2")
def test_a_sign_shows_its_own_meter_and_a_board_those_it_is_given() -> None:
    whole = Picture(
        floor(
            meters=[meter("A"), meter("B"), meter("X", training=True)],
            tables=[table("T1", "B"), table("T2", None)],
            hits=[hit("h1", "A"), hit("h2", "B")],
        )
    )

    def meters(view: View) -> list[str]:
        _, said = _read(view.of(whole).whole(0, 0))
        assert {hit["meter"] for hit in said["hits"]} <= {one["meter"] for one in said["meters"]}
        return [one["meter"] for one in said["meters"]]

    assert meters(View(table="T1")) == ["B"]
    assert meters(View(table="T2")) == []
    assert meters(View(table="nowhere")) == []
    assert meters(View()) == ["A", "B"]  # training is no jackpot to promote
    assert meters(View(meters=("X", "A"))) == ["A", "X"]


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("", View()),
        ("table=T1", View(table="T1")),
        ("meters=A,B", View(meters=("A", "B"))),
        ("meters=", View()),
        ("table=a%20b", View(table="a b")),
    ],
)
def test_a_stream_says_what_it_wants_to_see(query: str, view: View) -> None:
    assert View.asked_for(query) == view


def test_what_was_held_up_once_holds_up_nothing_that_follows() -> None:
    """A heartbeat or a slow moment between two frames, which come five a second."""

    async def play(hub: Hub, clock: Clock) -> None:
        screen = Screen()
        hub.take(floor(1))
        hub.add(screen, None)
        sent(hub)
        clock.seconds += 0.05
        for order in range(2, 12):
            hub.take(floor(order, meters=[meter(value_micros=order)]))
            await asyncio.sleep(0.01)
            assert screen.values[-1] == order
            clock.seconds += PACE_SECONDS

    playing(play)


def test_screens_are_told_five_times_a_second_however_often_something_comes() -> None:
    async def play() -> float:
        hub, loop = Hub(), asyncio.get_running_loop()
        hub.add(screen, None)
        began = loop.time()
        for order in range(1, 101):
            hub.take(floor(order, meters=[meter(value_micros=order)]))
            await asyncio.sleep(0.01)
        return loop.time() - began

    screen = Screen()
    seconds = asyncio.run(play())
    assert 3 <= len(screen.values) <= seconds / PACE_SECONDS + 2
