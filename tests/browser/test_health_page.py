"""The health page as people see it: on a phone and a desk, by day and by night, in every state."""

from itertools import product
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.integration.programs import Environment

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1366, "height": 900}
SIZES = {"phone": PHONE, "desk": DESK}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# What each state of the house looks like: the statement that brings it about, and the headline.
STATES = {
    "ready": (
        "INSERT INTO heartbeat (worker) VALUES ('worker@back-of-house')",
        "Everything works",
    ),
    "degraded": ("SELECT 1", "In service, but not everything works"),
    "not ready": ("DELETE FROM schema_migration", "Out of service"),
}


@pytest.mark.parametrize("state", STATES)
def test_everybody_can_read_it(
    chromium: Browser, address: str, env: Environment, tmp_path: Path, state: str
) -> None:
    statement, headline = STATES[state]
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        connection.execute(statement.encode())

    for size, scheme in product(SIZES, SCHEMES):
        with chromium.new_page(viewport=SIZES[size], color_scheme=scheme) as page:
            complaints = _complaints(page)
            page.goto(f"{address}/")
            expect(page).to_have_url(f"{address}/health")
            expect(page.get_by_role("heading", level=1)).to_have_text(headline)
            page.screenshot(path=tmp_path / f"{size}-{scheme}.png", full_page=True)

            assert Axe().run(page).response["violations"] == []
            assert _width(page) <= SIZES[size]["width"]
            assert complaints == []


def test_a_large_font_still_fits_a_phone(chromium: Browser, address: str) -> None:
    """WCAG 1.4.4: twice the text size without losing anything."""
    with chromium.new_page(viewport=PHONE) as page:
        page.goto(f"{address}/health")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert _width(page) <= PHONE["width"]


def test_it_can_be_used_by_keyboard(chromium: Browser, address: str) -> None:
    with chromium.new_page() as page:
        page.goto(f"{address}/health")
        page.keyboard.press("Tab")
        link = page.get_by_role("link", name="Check again")
        expect(link).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_be_visible()


def _width(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


def _complaints(page: Page) -> list[str]:
    """What the browser says in its console, a breach of the content policy for one."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    return complaints
