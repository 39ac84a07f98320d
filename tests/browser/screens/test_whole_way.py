"""From a recorded wager to the paint: real server, real Redis, real gateway, real browser."""

from pathlib import Path

import redis
from playwright.sync_api import Browser, Page, expect

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.integration.devices.floor import Agent
from tests.integration.http.conftest import office as office
from tests.integration.office import Office
from tests.integration.programs import free_port
from tests.integration.signage.gateways import enrolled, running
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


def shows(page: Page, micros: int) -> None:
    figure = f"${micros // 1_000_000:,}.{micros // 10_000 % 100:02}"
    expect(page.locator("[data-part=figure]")).to_have_text(figure, timeout=15_000)
    standing(page, "working")


def standing(page: Page, state: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", state, timeout=15_000)
