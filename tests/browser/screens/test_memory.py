"""A screen that runs for years: an accelerated day leaves its memory as it was."""

import time

from playwright.sync_api import CDPSession, expect

from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Json, Stage
from tests.counts import FULL

SPEED = 100
"""A screen's hour in thirty-six seconds: faster, and every pause of a busy machine looks like an
outage."""
FRAMES_A_SECOND = 5
HOURS = 24 if FULL else 0.5
WARM_UP_HOURS = 0.15
MEGABYTE = 1_000_000
GROWTH_BYTES_AN_HOUR_MAX = MEGABYTE


def test_a_day_does_not_fill_the_memory(stage: Stage, open_screen: Opener) -> None:
    """Five frames a second, a hit every three minutes, a notice now and then, lost connections."""
    stage.speed = SPEED
    stage.say(day(0))
    page = open_screen("/sign/T07", standing=None)
    devtools = page.context.new_cdp_session(page)

    life = Life(stage)
    life.live(WARM_UP_HOURS)
    expect(page.locator("[data-standing=working]")).to_be_visible()
    before = heap_bytes(devtools)
    life.live(HOURS)
    after = heap_bytes(devtools)

    expect(page.locator("[data-part=figure]")).to_have_text(life.figure)
    growth = (after - before) / HOURS
    print(f"heap {before} bytes, {growth:.0f} an hour over {HOURS} hours")
    assert growth < GROWTH_BYTES_AN_HOUR_MAX


class Life:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._step = 0

    @property
    def figure(self) -> str:
        micros = day(self._step)["meters"][0]["value_micros"]
        return f"${micros // 1_000_000:,}.{micros // 10_000 % 100:02}"

    def live(self, hours: float) -> None:
        began, first = time.monotonic(), self._step
        for step in range(int(hours * 3600 * FRAMES_A_SECOND)):
            self._step = first + step + 1
            self._stage.say(day(self._step), whole=self._step % FRAMES_A_SECOND == 0)
            if self._step % (1200 * FRAMES_A_SECOND) == 0:
                self._stage.cut()
                self._stage.mend()
            due = began + step / FRAMES_A_SECOND / SPEED
            time.sleep(max(0.0, due - time.monotonic()))


def day(step: int) -> Json:
    """The floor after so many frames."""
    seconds = step / FRAMES_A_SECOND
    hits = [
        floors.hit(f"h{n}", at=floors.instant(n * 180))
        for n in range(max(0, int(seconds / 180) - 4), int(seconds / 180) + 1)
    ]
    notices = [floors.notice(due=floors.instant(seconds + 60))] if seconds % 600 < 60 else []
    table = floors.table(notices=notices, registered=[1 + int(seconds) % 7])
    made = floors.meter() | {"seq": step + 1, "value_micros": 10_000_000_000 + step * 340_600}
    floor = floors.floor(step + 1, meters=[made], tables=[table], hits=hits)
    return floor | {"read_at": floors.instant(seconds)}


def heap_bytes(devtools: CDPSession) -> int:
    """What is still in use after the garbage is gone."""
    for _ in range(2):
        devtools.send("HeapProfiler.collectGarbage")
    used: int = devtools.send("Runtime.getHeapUsage")["usedSize"]
    return used
