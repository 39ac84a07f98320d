"""What other threads make comes to the event loop together, and to whoever still waits for it."""

import asyncio
import threading
from concurrent.futures import Future

import pytest

from meter_server.http.arrivals import Arrivals

SECONDS_MAX = 20


def test_a_batch_wakes_the_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arrivals, loop, wakings = Arrivals(), asyncio.new_event_loop(), list[object]()
    wake = loop.call_soon_threadsafe
    monkeypatch.setattr(loop, "call_soon_threadsafe", lambda call: wakings.append(wake(call)))
    makings: list[Future[int]] = [Future() for _ in range(50)]

    def make_all() -> None:
        for number, making in enumerate(makings):
            making.set_result(number)
        arrivals.ring()

    making_all = threading.Thread(target=make_all)

    async def wait_for_all() -> list[int]:
        waiting = [arrivals.of(making) for making in makings]
        making_all.start()
        return await asyncio.wait_for(asyncio.gather(*waiting), SECONDS_MAX)

    try:
        assert loop.run_until_complete(wait_for_all()) == list(range(50))
        making_all.join()  # it is counted after the loop has been woken
        assert len(wakings) == 1
    finally:
        loop.close()


def test_what_broke_breaks_for_whoever_waits() -> None:
    async def wait() -> None:
        arrivals, broken, good = Arrivals(), Future[int](), Future[int]()
        waiting = arrivals.of(broken), arrivals.of(good)
        broken.set_exception(LookupError("no library"))
        good.set_result(1)
        arrivals.ring()
        with pytest.raises(LookupError, match="no library"):
            await waiting[0]
        assert await waiting[1] == 1

    asyncio.run(asyncio.wait_for(wait(), SECONDS_MAX))


def test_what_cannot_be_handed_over_keeps_nobody_behind_it_waiting() -> None:
    async def wait() -> None:
        arrivals, broken, good = Arrivals(), Future[int](), Future[int]()
        waiting = arrivals.of(broken), arrivals.of(good)
        broken.set_exception(StopIteration())
        good.set_result(1)
        arrivals.ring()
        with pytest.raises(RuntimeError, match="ended in StopIteration"):
            await waiting[0]
        assert await waiting[1] == 1

    asyncio.run(asyncio.wait_for(wait(), SECONDS_MAX))


def test_what_was_made_before_anybody_waited_needs_no_bell() -> None:
    async def wait() -> int:
        made: Future[int] = Future()
        made.set_result(7)
        return await Arrivals().of(made)

    assert asyncio.run(asyncio.wait_for(wait(), SECONDS_MAX)) == 7


def test_who_has_gone_away_is_in_nobodys_way() -> None:
    async def wait() -> int:
        arrivals, first, second = Arrivals(), Future[int](), Future[int]()
        gone, patient = arrivals.of(first), arrivals.of(second)
        gone.cancel()
        first.set_result(1)
        second.set_result(2)
        arrivals.ring()
        return await patient

    assert asyncio.run(asyncio.wait_for(wait(), SECONDS_MAX)) == 2


def test_a_bell_after_the_end_hurts_nobody() -> None:
    arrivals, late = Arrivals(), Future[int]()

    async def leave() -> None:
        arrivals.of(late)

    asyncio.run(leave())
    late.set_result(1)
    arrivals.ring()
    assert late.result() == 1
