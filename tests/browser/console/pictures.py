"""Takes the pictures of docs/agent.md: ``pytest tests/browser/console/pictures.py``."""

from collections.abc import Iterator
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

from tests.browser.console.stage import (
    BUSY_MS,
    LARGE,
    SMALL,
    Console,
    Stage,
    expect,
    opened,
    staged,
)
from tests.browser.console.test_floor_page import phone
from tests.browser.console.test_layouts import CUT_OFF
from tests.integration.office import Office

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "pictures"
PAGE = (FOLDER.parent / "agent.md").read_text(encoding="utf-8")
"""Only what it shows is kept; every step is tried at both sizes."""


def test_pictures(chromium: Browser, office: Office, tmp_path: Path) -> None:
    with staged(office, tmp_path, cost_cents=500) as stage:
        stage.sign_on()
        with opened(chromium, stage) as console, phone(chromium, stage, "higher-duties") as page:
            for name in _evening(console, stage, page):
                _take(console, name)


def _take(console: Console, name: str) -> None:
    for size, suffix in ((SMALL, "-small"), (LARGE, "")):
        console.page.set_viewport_size(size)
        console.page.wait_for_timeout(300)
        assert console.page.evaluate(CUT_OFF) == [], (name, size)
        if f"pictures/{name}{suffix}.png" in PAGE:
            console.page.screenshot(path=FOLDER / f"{name}{suffix}.png")
    found = Axe().run(console.page)
    assert found.violations_count == 0, (name, found.generate_report())


def _evening(console: Console, stage: Stage, phone: Page) -> Iterator[str]:
    """Wherever there is something to show."""
    console.round(1, 2, 4, 5)
    console.main("record")
    console.step("betting")
    console.touch(console.seat(6))
    console.settled("register")
    yield "console"
    console.main("register")
    console.step("playing")
    console.touch(console.part("irregular"))
    yield "console-irregularities"
    console.back()
    console.touch(console.part("too-early"))
    expect(phone.get_by_role("listitem")).to_be_visible()
    yield "console-approval"
    console.back()
    console.touch(console.seat(4))
    yield "console-hands"
    console.choose("Full house")
    console.touch(console.seat(2))
    console.choose("Royal flush")
    for card in ("spades", "ace of spades", "king of spades"):
        console.choose(card)
    yield "console-cards"
    console.choose("These are the cards")
    expect(console.part("record-label")).to_have_text("Hold to record")
    yield "console-hold"
    console.hold("record")
    console.step("betting")
    expect(console.part("pay")).to_contain_text("must come", timeout=BUSY_MS)
    yield "console-held"
    console.touch(console.rank("TG Higher Duties Dealer"))
    console.touch(console.page.get_by_role("button", name="Why?"))
    console.choose("Dispute")
    expect(console.part("calls")).to_contain_text("Dispute")
    yield "console-called"
    console.main("register")
    console.step("playing")
    console.touch(console.part("too-early"))
    expect(phone.get_by_role("listitem")).to_have_count(2)
    phone.screenshot(path=FOLDER / "floor.png")
    console.back()
    console.main("record")
    expect(console.part("nothing")).to_be_visible()
    expect(console.part("status")).to_have_text("Operating properly.")
    stage.wire.cut()
    expect(console.part("now")).to_have_text("Take no Jackpot wagers.", timeout=BUSY_MS)
    yield "console-closed"
