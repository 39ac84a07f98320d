"""`make run` brings a floor alive: a newcomer watches, plays a round, and finds it again."""

import re
import subprocess
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import sync_playwright

from tests.acceptance import newcomer
from tests.acceptance.house import House
from tests.browser.conftest import FLAGS
from tests.integration.office import Client
from tests.integration.programs import wait_until

pytestmark = pytest.mark.timeout(400)

DEALER, MANAGER, AUDITOR = "1001", "4001", "9002"
SYSTEMS = {"main", "premium", "grand"}


@pytest.fixture(scope="module")
def alive(user_house: House) -> Iterator[House]:
    with user_house.make("run") as run:
        run.wait_until_running()
        assert f"Begin here   http://127.0.0.1:{user_house.guide_port}/" in run.everything_said()
        yield user_house


def test_every_link_of_the_guide_leads_somewhere(alive: House) -> None:
    page = _page(alive)
    links = set(re.findall(r'href="(http[^"]+)"', page))
    assert len(links) >= 10
    for link in links:
        wait_until(lambda link=link: _answers(link), 60)  # type: ignore[misc]


def test_everybody_is_named_with_a_purpose(alive: House) -> None:
    page = _page(alive)
    password = (alive.data / "people.password").read_text()
    assert password in page
    for number in (DEALER, MANAGER, AUDITOR, "2001", "3001", "9001", "9003", "9004", "9005"):
        assert f"<code>{number}</code>" in page


def test_three_meters_move_a_notice_runs_and_a_prize_is_pending(alive: House) -> None:
    manager = _signed_in(alive, MANAGER)
    before = _seqs(manager)
    assert before.keys() == SYSTEMS
    wait_until(lambda: all(seq > before[name] for name, seq in _seqs(manager).items()), 90)
    wait_until(lambda: _items(manager, "/v1/prizes?state=pending") != [], 60)
    wait_until(lambda: any(one["ready_at"] for one in _items(manager, "/v1/notices")), 60)


def test_a_newcomer_plays_a_round_and_finds_the_trail_of_it(alive: House) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        newcomer.walk(browser, f"http://127.0.0.1:{alive.guide_port}/", lambda *_: None)
        browser.close()

    said = subprocess.run(
        [".venv/bin/table-agent", "--folder", alive.data / "agents" / "t2-a", "outbox"],
        cwd=alive.clone,
        env=alive.environment(),
        capture_output=True,
        text=True,
        check=True,
        user=alive.person.uid,
        group=alive.person.gid,
        extra_groups=[],
    ).stdout
    [number, *_] = re.findall(r"^ *(\d+) .* accepted +Wagers of seats 2 and 5$", said, re.MULTILINE)
    settled = _signed_in(alive, MANAGER).get(f"/v1/settlements?round=t2-a/1/{number}").json()
    assert (settled["table"], settled["actor"], settled["system"]) == ("T2", DEALER, "main")
    signed_on = [
        (line["person"], line["device"])
        for line in _every_line(_signed_in(alive, AUDITOR))
        if line["tag"].endswith("console:sign-on")
    ]
    assert (DEALER, "t2-a") in signed_on


def test_on_a_quiet_floor_nobody_plays(root_house: House) -> None:
    with root_house.make("run", "QUIET=1") as run:
        run.wait_until_running()
        said = run.everything_said()
        assert "Begin here" not in run.output.read_text()
        manager = _signed_in(root_house, MANAGER)
        before = _seqs(manager)
        time.sleep(5)
        assert _seqs(manager) == before
        assert not [one for one in root_house.strays() if "deploy.demo.life" in one], said


def test_quiet_is_1_or_left_out(user_house: House) -> None:
    assert "QUIET is 'yes': write QUIET=1" in user_house.refused("run", "QUIET=yes")


def _page(house: House) -> str:
    with urlopen(f"http://127.0.0.1:{house.guide_port}/", timeout=20) as answer:
        return str(answer.read().decode())


def _answers(link: str) -> bool:
    try:
        with urlopen(link, timeout=20) as answer:  # noqa: S310 - an address of the guide
            return bool(answer.status == 200)
    except OSError:
        return False


def _signed_in(house: House, number: str) -> Client:
    password = (house.data / "people.password").read_text()
    body = {"number": number, "password": password, "bearer": True}
    begun = Client(house.port).post("/v1/session", body)
    assert begun.status == 201, begun.text
    return Client(house.port, begun.json()["token"])


def _items(person: Client, path: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = person.get(path).json()["items"]
    return items


def _every_line(auditor: Client) -> Iterator[dict[str, Any]]:
    after = ""
    while after is not None:
        page = auditor.get(f"/v1/audit-trail?limit=200{after and f'&after={after}'}").json()
        yield from page["items"]
        after = page["next"]


def _seqs(person: Client) -> dict[str, int]:
    return {
        one["system"]: one["seq"] for one in _items(person, "/v1/systems") if not one["training"]
    }
