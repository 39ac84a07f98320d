"""Who waits at a table, on a phone of the floor's staff: calls, and a supervisor's word."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

from tests.browser.console.stage import BUSY_MS, Console, Stage, expect
from tests.integration.office import PASSWORD, PIN, ROLES

SECONDS = re.compile(r"\d+:\d\d")


def test_who_is_called_says_that_they_are_coming(
    chromium: Browser, console: Console, stage: Stage
) -> None:
    with (
        phone(chromium, stage, "area-manager") as manager,
        phone(chromium, stage, "higher-duties") as below,
    ):
        console.step("betting")
        console.touch(console.rank("TG Area Manager"))
        call = manager.get_by_role("listitem")
        expect(call.get_by_role("heading")).to_have_text(f"Table {stage.table}")
        expect(call).to_contain_text("Wanted at the table")
        news = manager.locator("[data-part=news]")
        expect(news).to_have_text(f"Table {stage.table}: Wanted at the table")
        # Called is called: the dealer says more while somebody is on the way.
        console.touch(console.page.get_by_role("button", name="Why?"))
        console.choose("Dispute")
        expect(call).to_contain_text("Dispute")
        expect(call).to_contain_text(f"Called by {ROLES['dealer']}. For a TG Area Manager")
        # The seconds run, and nothing but the call itself is read out.
        timer = call.get_by_role("timer")
        expect(timer).to_have_text(SECONDS)
        first = timer.inner_text()
        expect(timer).not_to_have_text(first)
        expect(manager).to_have_title("(1) Floor \N{MIDDLE DOT} Prize Meter")
        assert Axe().run(manager).violations_count == 0
        # Whoever is below the rank sees it, and has nothing to press.
        expect(below.get_by_role("listitem")).to_contain_text("Dispute")
        expect(below.get_by_role("listitem").get_by_role("button")).to_have_count(0)
        call.get_by_role("button", name="I am coming").click()
        expect(console.part("calls")).to_contain_text("The area-manager is coming.")
        expect(below.get_by_role("listitem")).to_contain_text("The area-manager is coming.")
        expect(manager).to_have_title("Floor \N{MIDDLE DOT} Prize Meter")
        assert Axe().run(manager).violations_count == 0
        call.get_by_role("button", name="It is settled").click()
        expect(manager.get_by_role("alert")).to_contain_text("is settled")
        expect(manager.get_by_text("No table waits for anybody.")).to_be_visible()
        expect(console.part("calls").locator("li")).to_have_count(0)


def test_the_table_itself_ends_a_call(chromium: Browser, console: Console, stage: Stage) -> None:
    with phone(chromium, stage, "area-manager") as manager:
        console.step("betting")
        console.touch(console.rank("TG Area Manager"))
        expect(manager.get_by_role("listitem")).to_be_visible()
        console.touch(console.page.get_by_role("button", name="Has come"))
        expect(manager.get_by_role("listitem")).to_have_count(0)
        # Signed out, nothing of the floor is left to see.
        manager.get_by_role("button", name="Sign out").click()
        expect(manager.get_by_label("Password")).to_be_visible()
        expect(manager.get_by_text("No table waits for anybody.")).to_be_hidden()


def test_a_supervisor_approves_from_a_phone(
    chromium: Browser, console: Console, stage: Stage
) -> None:
    with phone(chromium, stage, "higher-duties") as page:
        console.round(2, 3)
        console.touch(console.part("too-early"))
        sheet = console.page.get_by_role("dialog")
        expect(sheet).to_contain_text("Waiting for approval, or enter the PIN here.")
        asked = page.get_by_role("listitem")
        expect(asked).to_contain_text("cancel mistaken game")
        expect(asked).to_contain_text("For a TG Higher Duties Dealer (or above).")
        asked.get_by_label("Your PIN").fill("000000")
        asked.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("alert")).to_contain_text("PIN again")
        assert Axe().run(page).violations_count == 0
        asked.get_by_label("Your PIN").fill(PIN)
        asked.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("alert")).to_contain_text("Approved for table")
        expect(sheet).to_be_hidden()
        console.step("betting")
        expect(console.part("said")).to_contain_text("to each of seats 2 and 3.")
        # The next one is refused, and nothing is done.
        console.main("register")
        console.step("playing")
        console.touch(console.part("too-early"))
        page.get_by_role("button", name="Refuse").click(timeout=BUSY_MS)
        expect(console.part("refusals")).to_contain_text("Refused by 2001")
        console.step("playing")


@contextmanager
def phone(chromium: Browser, stage: Stage, role: str) -> Iterator[Page]:
    """A supervisor's own, signed in."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{stage.office.port}/floor")
    page.get_by_label("Staff number").fill(ROLES[role])
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("No table waits for anybody.")).to_be_visible()
    try:
        yield page
    finally:
        context.close()
