"""Takes the pictures of docs/screens.md: ``python -m tests.browser.screens.pictures``."""

import shutil
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.screens import floors
from tests.browser.screens.stage import Json, Stage, staged

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "pictures"
WIDE: ViewportSize = {"width": 1920, "height": 1080}
HIGH: ViewportSize = {"width": 1080, "height": 1920}

HITS = [
    floors.hit(
        "1", hand="royal-flush", table="T11", amount_micros=612_345_000_000, at=floors.instant(-4e5)
    ),
    floors.hit("2"),
    floors.hit("3", table="T07", amount_micros=None, verified=False, at=floors.instant(-1500)),
]
NEW = [
    floors.hit(
        "4",
        hand="royal-flush",
        table="T09",
        amount_micros=482_311_000_000,
        at=floors.instant(-1),
        meter_seq=81_199,
    ),
    floors.hit(
        "5",
        table="T02",
        amount_micros=None,
        verified=False,
        at=floors.instant(-1),
        meter_seq=81_202,
    ),
]
OTHERS = [
    floors.meter("one-dollar", 98_204.15, cost_cents=100),
    floors.meter("high-limit", 1_204_998.07, cost_cents=2_000),
]
METERS = [floors.meter(), *OTHERS]
AFTER = floors.meter(dollars=50_003.41, epoch=4)
"""The royal has taken it all: the meter stands at 10,000 x $5 and two wagers."""
NOTICES = [floors.notice("transfer-table", to="one-dollar", due=floors.instant(754))]
MINIMUM = floors.notice(
    "raise-minimum", due=floors.instant(1_187), minimum_cents=2_500, maximum_cents=50_000
)
ALL = "meters=five-dollar,one-dollar,high-limit"


class Picture(NamedTuple):
    path: str
    floor: Json
    size: ViewportSize = WIDE
    age_ms: int = 0


PICTURES = {
    "sign": Picture("/sign/T07", floors.floor(hits=HITS)),
    "sign-notice": Picture(
        "/sign/T07?lang=zh-Hans", floors.floor(tables=[floors.table(notices=NOTICES)], hits=HITS)
    ),
    "sign-minimum": Picture(
        "/sign/T07", floors.floor(tables=[floors.table(notices=[MINIMUM])], hits=HITS)
    ),
    "sign-hit": Picture("/sign/T07", floors.floor(meters=[AFTER], hits=HITS + NEW)),
    "sign-not-current": Picture("/sign/T07", floors.floor(hits=HITS), age_ms=12_000),
    "sign-not-available": Picture("/sign/T07", floors.floor(hits=HITS), age_ms=65_000),
    "sign-portrait": Picture(
        "/sign/T07?lang=vi",
        floors.floor(tables=[floors.table(notices=NOTICES)], hits=HITS),
        size=HIGH,
    ),
    "sign-training": Picture(
        "/sign/T07?theme=contrast",
        floors.floor(meters=[floors.meter("school", 10_000, training=True)], hits=[])
        | {"tables": [floors.table(meter="school")]},
    ),
    "board": Picture(f"/board?{ALL}", floors.floor(meters=METERS, hits=HITS)),
    "board-light": Picture(
        "/board?meters=five-dollar&theme=light&lang=vi", floors.floor(meters=METERS, hits=HITS)
    ),
    "board-hit": Picture(f"/board?{ALL}", floors.floor(meters=[AFTER, *OTHERS], hits=HITS + NEW)),
    "board-portrait": Picture(
        f"/board?{ALL}&lang=zh-Hans", floors.floor(meters=METERS, hits=HITS), size=HIGH
    ),
}


def take(browser: Browser, stage: Stage, name: str) -> None:
    picture = PICTURES[name]
    stage.say(picture.floor)
    context = browser.new_context(viewport=picture.size, reduced_motion="reduce")
    page = context.new_page()
    page.goto(stage.address + picture.path)
    page.locator("[data-order]").wait_for()
    stage.say(picture.floor, age_ms=picture.age_ms)
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def take_code(browser: Browser, stage: Stage) -> None:
    """A screen that nobody has paired yet; its code is another each time."""
    page = browser.new_page(viewport=WIDE)
    page.goto(stage.address)
    page.locator("[data-part=code]:not([hidden])").wait_for()
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / "new-screen.png")
    page.close()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with staged() as stage, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in PICTURES:
            take(browser, stage, name)
        take_code(browser, stage)
        browser.close()


if __name__ == "__main__":
    main()
