"""`make run` comes up, stops, survives being killed, and keeps its data."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf

import pytest

from tests.acceptance.house import House
from tests.counts import count

START_SECONDS_MAX = count(8, 5)
"""Five are promised on a machine with nothing else to do, which `make prove` asks for."""

pytestmark = pytest.mark.timeout(400)


def test_the_second_start_is_quick_and_finds_the_data(house: House) -> None:
    """The best of three: the machine may have other work to do while one of them starts."""
    seconds: list[float] = []
    while min(seconds, default=inf) > START_SECONDS_MAX:
        assert len(seconds) < 3, seconds
        with house.make("run") as run:
            run.wait_until_running()
            seconds.append(time.monotonic() - run.began)
            assert house.is_ready()
            assert house.has_row("first run")
            text = run.output.read_text()
            assert f"http://127.0.0.1:{house.port}/health" in text
            assert "Log-ins" in text
            assert "Installing" not in text


def test_ctrl_c_while_it_starts(house: House) -> None:
    """At moments spread over a start, the ones when a part is half-way up among them.

    Python's own first milliseconds are not ours: they may still end in a traceback of Python's.
    """
    for delay_seconds in (0.6, 1.2, 1.8, 2.4, 2.7):
        with house.make("run") as run:
            time.sleep(delay_seconds)
            run.press_ctrl_c()
            run.process.wait(15)
            house.require_no_strays(1)
            assert "deploy/demo" not in run.output.read_text()


def test_sigterm_stops_everything(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        run.process.terminate()
        run.process.wait(30)
        assert house.strays() == []


def test_nothing_outlives_a_killed_supervisor_and_the_data_is_kept(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        house.write_row("before the supervisor was killed")
        os.kill(run.supervisor, signal.SIGKILL)
        house.require_no_strays(20)
    with house.make("run") as run:
        run.wait_until_running()
        assert house.has_row("before the supervisor was killed")


def test_a_new_run_at_once_after_the_supervisor_was_killed(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        os.kill(run.supervisor, signal.SIGKILL)
        run.process.wait(30)
        with house.make("run") as again:
            again.wait_until_running()
            assert house.is_ready()
            assert house.has_row("first run")


def test_a_killed_postgres_is_started_again(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        house.write_row("before PostgreSQL was killed")
        killed = _postmaster(house)
        os.kill(killed, signal.SIGKILL)
        _wait_for(lambda: house.postgres.answers() and _postmaster(house) != killed)
        assert house.has_row("before PostgreSQL was killed")
        _wait_for(house.is_ready)


def test_everything_killed_at_once(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        house.write_row("before everything was killed")
        os.kill(run.supervisor, signal.SIGSTOP)  # It must not mend while we break.
        for stray in house.strays():
            with suppress(ProcessLookupError):  # Some end by themselves when others do.
                os.kill(int(stray.split()[0]), signal.SIGKILL)
        house.require_no_strays(20)
    with house.make("run") as run:
        run.wait_until_running()
        assert house.has_row("before everything was killed")


def test_a_part_that_dies_is_started_again_without_leaving_its_children(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        before = [stray for stray in house.strays() if "meter_server serve" in stray]
        os.kill(min(int(stray.split()[0]) for stray in before), signal.SIGKILL)
        _wait_for(lambda: "starting it again" in run.output.read_text())
        _wait_for(house.is_ready)
        after = [stray for stray in house.strays() if "meter_server serve" in stray]
        assert len(after) == len(before)
        assert not set(after) & set(before)


def test_reset_starts_afresh(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        house.write_row("before the reset")
    with house.make("run", "RESET=1") as run:
        run.wait_until_running()
        assert not house.has_row("before the reset")
        house.write_row("first run")


def test_two_at_once(house: House) -> None:
    with house.make("run") as run:
        run.wait_until_running()
        sentence = f"already runs with the data folder {house.data} (process {run.supervisor})"
        assert sentence in house.refused()
        assert house.is_ready()


def _postmaster(house: House) -> int:
    return int((house.postgres.data / "postmaster.pid").read_text().split()[0])


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
