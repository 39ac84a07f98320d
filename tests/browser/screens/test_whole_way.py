"""From a recorded wager to the paint: real server, real Redis, real gateway, real browser."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from playwright.sync_api import Browser, Page, expect

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from meter_server.contract.device.errors import NotReached
from meter_server.failpoints import VARIABLE, Place
from tests.integration.conftest import Breakable
from tests.integration.conftest import breakable as breakable
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.http.conftest import office as office
from tests.integration.office import Office
from tests.integration.office import people as create_people
from tests.integration.programs import free_port, migrate, run, wait_until
from tests.integration.rulings.tables import Played
from tests.integration.signage.gateways import enrolled, running
from tests.integration.signage.test_faults import House, kill_with_children, serving_at
from tests.integration.signage.test_screens import _draft as draft
from tests.integration.signage.test_stream import floor as floor
from tests.integration.signage.test_stream import value_after, wager
from tests.rules import rule

HIT_SECONDS_MAX = 2
KEEP_FIGURES = """() => {
  const figure = document.querySelector("[data-part=figure]");
  globalThis.figures = [figure.textContent];
  const keep = () => figures.push(figure.textContent);
  const every = { childList: true, characterData: true, subtree: true };
  new MutationObserver(keep).observe(figure, every);
}"""
"""Every figure that stood on the page from now on."""


@rule("SGN-1", "SGN-3")
def test_a_sign_follows_the_books_through_every_outage(
    chromium: Browser,
    office: Office,
    engines: tuple[Postgres, Redis],
    tmp_path: Path,
    floor: tuple[Agent, str, int],
) -> None:
    agent, system, cost = floor
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
            played = Played(office, agent.identity.table, "wsop", system, cost, agent)
            assert seconds_to_the_celebration(page, played.royal) < HIT_SECONDS_MAX
            shows(page, value_after(cost, 0))  # the royal took the meter: it fell at once

        standing(page, "impaired")  # the gateway is gone
        wager(agent, cost, 2)
        with running(folder, engines[1].url, port):
            shows(page, value_after(cost, 1))
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
        clock = page.locator("[data-part=notice-time]")
        expect(clock).to_have_text(re.compile(r"^From \d\d:\d\d · in 19:5\d$"), timeout=15_000)


@rule("SGN-3")
@pytest.mark.timeout(300)
def test_a_server_that_dies_between_the_commit_and_the_frame(
    chromium: Browser, breakable: Breakable, tmp_path: Path
) -> None:
    """I7 on the page: it says that it is old, and shows what was recorded once a server runs."""
    key, port, deaths = tmp_path / "key", free_port(), tmp_path / "deaths"
    env = {
        **breakable.env,
        "METER_SERVER_PORT": str(port),
        "METER_SERVER_SIGNING_KEY_FILE": str(key),
    }
    migrate(env)
    create_people(env["DATABASE_URL"])
    assert run(env, "keys", "create", "casino.example/prize-meter", str(key)).returncode == 0
    with serving_at(env, port, tmp_path / "first.log"):
        office = Office(port, env["DATABASE_URL"])
        house = House(office, tmp_path)
        enrolled(office, tmp_path / "gateway")
    before = house.value
    with (
        running(tmp_path / "gateway", breakable.env["REDIS_URL"]) as gateway,
        chromium.new_page() as page,
    ):
        page.goto(f"http://127.0.0.1:{gateway.port}/sign/{house.table}")
        dying = {**env, VARIABLE: f"{Place.COMMITTED}:1:{deaths}"}
        with serving_at(dying, port, tmp_path / "second.log") as server:
            shows(page, before)
            page.evaluate(KEEP_FIGURES)
            with pytest.raises(NotReached):
                house.register()
            with suppress(OSError):  # where its last process has ended by itself
                kill_with_children(server)
        assert deaths.read_text().strip() == Place.COMMITTED
        standing(page, "impaired")
        house.wagers += 1  # it was recorded, and nobody was told
        with serving_at(env, port, tmp_path / "third.log"):
            shows(page, house.value)
        painted = [int(re.sub(r"\D", "", figure)) for figure in page.evaluate("figures")]
        assert painted == sorted(painted)
        assert (painted[0], painted[-1]) == (before // 10_000, house.value // 10_000)


def seconds_to_the_celebration(page: Page, win: Callable[[], object]) -> float:
    """From before the win was asked for, so that its commit was later, to the page's paint."""
    page.evaluate(
        """() => {
          const look = () => document.body.classList.contains("celebrating")
            ? requestAnimationFrame(() => { globalThis.celebratedAt = Date.now(); })
            : requestAnimationFrame(look);
          look();
        }"""
    )
    asked = time.time()
    win()
    wait_until(lambda: bool(page.evaluate("globalThis.celebratedAt !== undefined")), 15)
    return float(page.evaluate("celebratedAt")) / 1000 - asked


def shows(page: Page, micros: int) -> None:
    figure = f"${micros // 1_000_000:,}.{micros // 10_000 % 100:02}"
    expect(page.locator("[data-part=figure]")).to_have_text(figure, timeout=15_000)
    standing(page, "working")


def standing(page: Page, state: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", state, timeout=15_000)
