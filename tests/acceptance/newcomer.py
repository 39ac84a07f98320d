"""Somebody who opens the guide of `make run` and follows it, by touch, in a real browser.

`python -m tests.acceptance.newcomer GUIDE` walks through a running house and takes the pictures of
the README.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.console.stage import LARGE, Console, expect

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEATS = (2, 5)
_WAIT_MS = 60_000

Picture = Callable[[Page, str], None]


def walk(browser: Browser, guide: str, picture: Picture) -> None:
    """The stops of the guide, until a round is played; whatever is not as promised, raises."""
    context = browser.new_context(viewport=LARGE, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(_WAIT_MS)
    try:
        page = context.new_page()
        page.goto(guide)
        picture(page, "demo-guide")
        _watch(_open(context, page, "Open the board"), picture)
        _read_the_notice(_open(context, page, "T7"), picture)
        number, pin = _dealer(page)
        _play(Console(_open(context, page, "Open the console")), number, pin, picture)
    finally:
        context.close()


def hang_up_a_sign(browser: Browser, guide: str, pair: Callable[[str], None]) -> None:
    """A new screen shows its code; paired, it becomes the sign of T2 and shows the meter."""
    context = browser.new_context(viewport=LARGE)
    context.set_default_timeout(_WAIT_MS)
    try:
        page = context.new_page()
        page.goto(guide)
        screen = _open(context, page, "Open a new screen")
        code = screen.locator('[data-part="code"]')
        expect(code).to_have_text(re.compile(r"^[A-Z2-9]{6}$"))
        pair(code.inner_text())
        expect(screen.locator('[data-part="figure"]')).to_contain_text("$")
    finally:
        context.close()


def _open(context: BrowserContext, guide: Page, link: str) -> Page:
    """What a link of the guide leads to, in a tab of its own."""
    address = guide.get_by_role("link", name=link, exact=True).get_attribute("href")
    page = context.new_page()
    page.goto(str(address))
    return page


def _watch(board: Page, picture: Picture) -> None:
    figures = board.locator('[data-part="figure"]')
    expect(figures).to_have_count(3)
    expect(figures.first).to_contain_text("$")
    before = [_cents(text) for text in figures.all_inner_texts()]
    for place, cents in enumerate(before):
        shown = figures.nth(place)
        # More than before, or less because somebody has won meanwhile: another figure.
        expect(shown).not_to_have_text(_written(cents), timeout=_WAIT_MS)
    picture(board, "demo-board")


def _read_the_notice(sign: Page, picture: Picture) -> None:
    expect(sign.get_by_text("This table moves to")).to_be_visible(timeout=_WAIT_MS)
    picture(sign, "demo-sign")


def _dealer(guide: Page) -> tuple[str, str]:
    stop = guide.locator("li", has_text="Play a round at table T2")
    number, pin = stop.locator(".secret").all_inner_texts()
    return number, pin


def _play(console: Console, number: str, pin: str, picture: Picture) -> None:
    console.step("betting")
    if console.part("person").inner_text() == "Sign on":
        console.touch(console.part("person"))
        for digit in number:
            console.choose(digit)
        console.choose("Next: PIN")
        for digit in pin:
            console.choose(digit)
        console.choose("Confirm")
    lit = console.part("seats").locator('[aria-pressed="true"]')
    for seat in SEATS:
        if not lit.count():
            console.touch(console.seat(seat))
    console.main("register")
    console.step("playing")
    picture(console.page, "demo-console")
    console.main("record")
    console.step("betting")


def _cents(figure: str) -> int:
    return int(re.sub(r"\D", "", figure))


def _written(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def main(guide: str) -> None:
    def keep(page: Page, name: str) -> None:
        page.screenshot(path=PICTURES / f"{name}.png")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        walk(browser, guide, keep)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
