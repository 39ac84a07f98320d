"""From a recorded wager to the paint: real server, real Redis, real gateway, real browser."""

import re
from pathlib import Path

import redis
from playwright.sync_api import Browser, Page, expect

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.http.conftest import office as office
from tests.integration.office import Office
from tests.integration.programs import free_port, wait_until
from tests.integration.signage.gateways import enrolled, running
from tests.integration.signage.test_screens import _draft as draft
from tests.integration.signage.test_stream import floor as floor
from tests.integration.signage.test_stream import value_after, wager
from tests.rules import rule


@rule("SGN-1", "SGN-3")
def test_a_sign_follows_the_books_through_every_outage(
    chromium: Browser,
    office: Office,
    engines: tuple[Postgres, Redis],
    tmp_path: Path,
    floor: tuple[Agent, str, int],
) -> None:
    agent, _, cost = floor
    folder, port = tmp_path / "gateway", free_port()
    enrolled(office, folder)
    with chromium.new_page() as page:
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        with running(folder, engines[1].url, port):
            page.goto(f"http://127.0.0.1:{port}/sign/{agent.identity.table}")
            page.evaluate("globalThis.isTheSame = true")
            shows(page, value_after(cost, 0))
            wager(agent, cost, 1, 5)
            shows(page, value_after(cost, 2))
            with redis.Redis.from_url(engines[1].url) as client:
                client.flushall()
            wager(agent, cost, 1)
            shows(page, value_after(cost, 3))

        standing(page, "impaired")  # the gateway is gone
        wager(agent, cost, 2)
        with running(folder, engines[1].url, port):
            shows(page, value_after(cost, 4))
        assert page.evaluate("isTheSame")
        assert complaints == []


@rule("SGN-4", "SYS-7", "A-35")
def test_a_page_confirms_the_notice_that_it_shows(
    chromium: Browser, office: Office, engines: tuple[Postgres, Redis], tmp_path: Path
) -> None:
    """Paired by the code on the page; the twenty minutes begin with what the page has painted."""
    table = open_table(office)
    open_system(office, [table])
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    with running(folder, engines[1].url) as gateway, chromium.new_page() as page:
        page.goto(f"http://127.0.0.1:{gateway.port}/")
        expect(page.locator("[data-part=code]")).to_be_visible()
        code = page.locator("[data-part=code]").inner_text()
        role = {"layout": "sign", "table": table, "meters": []}
        asked = {"screen": unique("sign"), "code": code, **role}
        manager = office.of_role("area-manager")
        wait_until(lambda: manager.post("/v1/screens", asked).status == 201, 10)
        standing(page, "working")

        draft(office, unique("N"), table)
        expect(page.locator("[data-part=notice-text]")).to_have_text(
            "This table leaves its jackpot."
        )
        time = page.locator("[data-part=notice-time]")
        expect(time).to_have_text(re.compile(r"^From \d\d:\d\d · in 19:5\d$"), timeout=15_000)


def shows(page: Page, micros: int) -> None:
    figure = f"${micros // 1_000_000:,}.{micros // 10_000 % 100:02}"
    expect(page.locator("[data-part=figure]")).to_have_text(figure, timeout=15_000)
    standing(page, "working")


def standing(page: Page, state: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", state, timeout=15_000)
