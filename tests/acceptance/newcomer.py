"""Somebody who opens the guide of `make run` and follows it from the first stop to the last.

Pages are touched in a real browser, and commands typed in a real terminal, as the guide has them.
With `make run RESET=1` in another terminal, `python -m tests.acceptance.newcomer GUIDE`, where
GUIDE is the address that it calls "Begin here", takes the pictures of the README.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

from tests.acceptance.terminal import Terminal
from tests.browser.conftest import FLAGS
from tests.browser.console.stage import LARGE, Console, expect
from tests.integration.programs import wait_until

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEATS = (2, 5)
_NARROW_PX = 900
"""At which a page that is read is still legible on half a page of the README."""
_MARGIN_PX = 15
_WAIT_MS = 60_000

Picture = Callable[[Page, str], None]


def walk(browser: Browser, guide: str, terminal: Terminal, picture: Picture) -> str:
    """Every stop; whatever is not as promised, raises. Gives the round that was played."""
    context = browser.new_context(viewport=LARGE, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(_WAIT_MS)
    try:
        newcomer = Newcomer(context, guide, terminal, picture)
        newcomer.watch()
        newcomer.play()
        newcomer.decide()
        played = newcomer.find()
        newcomer.hang_up_a_sign()
        newcomer.audit()
        newcomer.look_behind()
    finally:
        context.close()
    return played


class Newcomer:
    """One method for each stop of the guide."""

    def __init__(
        self, context: BrowserContext, guide: str, terminal: Terminal, picture: Picture
    ) -> None:
        self._context, self._terminal, self._picture = context, terminal, picture
        self._guide = context.new_page()
        self._guide.goto(guide)
        self._take_whole(self._guide, "ol.stops", "demo-guide")
        for line in self._lines(self._guide.locator("#commands")):
            terminal.type(line)

    def watch(self) -> None:
        board = self._open("Open the board")
        figures = board.locator('[data-part="figure"]')
        expect(figures).to_have_count(3)
        expect(figures.first).to_contain_text("$")
        before = [_cents(text) for text in figures.all_inner_texts()]
        for place, cents in enumerate(before):
            shown = figures.nth(place)
            # More than before, or less because somebody has won meanwhile: another figure.
            expect(shown).not_to_have_text(_written(cents), timeout=_WAIT_MS)
        self._picture(board, "demo-board")
        sign = self._open("T7")
        expect(sign.get_by_text("This table moves to")).to_be_visible(timeout=_WAIT_MS)
        self._picture(sign, "demo-sign")

    def play(self) -> None:
        number, pin = self._stop(2).locator(".secret").all_inner_texts()
        console = Console(self._open("Open the console"))
        console.step("betting")
        if console.part("person").inner_text() == "Sign on":
            console.touch(console.part("person"))
            for digit in number:
                console.choose(digit)
            console.choose("Next: PIN")
            for digit in pin:
                console.choose(digit)
            console.choose("Confirm")
        console.round(*SEATS)
        self._picture(console.page, "demo-console")
        console.main("record")
        console.step("betting")

    def decide(self) -> None:
        login, listing, determine = self._lines(self._stop(3))
        password = self._stop(3).locator(".secret").inner_text()
        self._terminal.clear()
        self._terminal.type(login, password)
        # At T4, unless somebody has won elsewhere before: the demo deals no second one.
        pending = re.search(r"(\S+) +main +T\d .* pending", self._terminal.type(listing))
        assert pending, "No prize is pending: start afresh with 'make run RESET=1'."
        said = self._terminal.type(determine.replace("NAME", pending[1]), "y", password)
        assert "is determined at $" in said, said
        self._take_terminal("demo-prize")

    def find(self) -> str:
        outbox, statement = self._lines(self._stop(4))
        self._terminal.clear()
        said = self._terminal.type(outbox)
        registered = re.search(r"(\d+) .* accepted +Wagers of seats 2 and 5$", said, re.MULTILINE)
        assert registered, said
        *command, example = statement.split()
        played = f"{example.rpartition('/')[0]}/{registered[1]}"
        said = self._terminal.type(" ".join([*command, played]))
        assert f"Round {played} at table T2, " in said, said
        self._take_terminal("demo-round")
        return played

    def hang_up_a_sign(self) -> None:
        """A new screen shows its code; paired, it becomes the sign of T2 and shows the meter."""
        pair, displays = self._lines(self._stop(5))
        screen = self._open("Open a new screen")
        code = screen.locator('[data-part="code"]')
        expect(code).to_have_text(re.compile(r"^[A-Z2-9]{6}$"))
        self._picture(screen, "demo-new-screen")
        typed = pair.replace("CODE", code.inner_text())
        wait_until(lambda: "sign-t2 is the sign of T2." in self._terminal.type(typed), 20)
        expect(screen.locator('[data-part="figure"]')).to_contain_text("$")
        self._picture(screen, "demo-paired")
        wait_until(lambda: " main " in self._terminal.type(displays), 30)

    def audit(self) -> None:
        self._terminal.clear()
        for line in self._lines(self._stop(6)):
            said = self._terminal.type(line)
        assert "\nGOOD: " in said, said
        self._take_terminal("demo-audit")

    def look_behind(self) -> None:
        health = self._open("Health")
        expect(health.get_by_role("heading", level=1)).to_have_text("Everything works")
        self._take_whole(health, "main", "demo-health")

    def _stop(self, number: int) -> Locator:
        return self._guide.locator("ol.stops > li").nth(number - 1)

    def _lines(self, part: Locator) -> list[str]:
        """The commands, as they stand there."""
        return part.locator(".typed code").all_inner_texts()

    def _open(self, link: str) -> Page:
        """What a link of the guide leads to, in a tab of its own."""
        address = self._guide.get_by_role("link", name=link, exact=True).get_attribute("href")
        page = self._context.new_page()
        page.goto(str(address))
        return page

    def _take_terminal(self, name: str) -> None:
        page = self._context.new_page()
        page.set_content(self._terminal.page())
        self._take_whole(page, "pre", name, LARGE["width"])

    def _take_whole(self, page: Page, part: str, name: str, width: int = _NARROW_PX) -> None:
        """From the top of a page to the end of a part, however long it is."""
        page.set_viewport_size({"width": width, "height": LARGE["height"]})
        box = page.locator(part).bounding_box()
        assert box is not None
        height = int(box["y"] + box["height"]) + _MARGIN_PX
        page.set_viewport_size({"width": width, "height": height})
        self._picture(page, name)


def _cents(figure: str) -> int:
    return int(re.sub(r"\D", "", figure))


def _written(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def main(guide: str) -> None:
    def keep(page: Page, name: str) -> None:
        page.screenshot(path=PICTURES / f"{name}.png")

    with (
        TemporaryDirectory() as home,
        Terminal(Path(home), os.environ) as terminal,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        walk(browser, guide, terminal, keep)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
