"""`make run` brings a floor alive: a newcomer watches, plays a round, and finds it again."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import sync_playwright

from deploy.demo.people import FIRST, OTHERS
from tests.acceptance import newcomer
from tests.acceptance.house import House, Run
from tests.acceptance.terminal import Terminal
from tests.browser.conftest import FLAGS
from tests.integration.office import Client
from tests.integration.programs import get, wait_until

pytestmark = pytest.mark.timeout(400)

DEALER, MANAGER, AUDITOR = "1001", "4001", "9002"
SYSTEMS = {"main", "premium", "grand"}


@pytest.fixture(scope="module")
def run(user_house: House) -> Iterator[Run]:
    with user_house.make("run") as run:
        run.wait_until_running()
        yield run


@pytest.fixture
def alive(run: Run) -> House:
    return run.house


@pytest.fixture
def said(run: Run) -> str:
    """What whoever typed `make run` reads, to its last line."""
    wait_until(lambda: "Stop it with Ctrl-C." in run.output.read_text(), 20)
    return run.output.read_text()


def test_everybody_who_is_printed_can_sign_in_and_sees_the_floor(alive: House, said: str) -> None:
    [password] = re.findall(r"Log-ins +password (\S+), PIN \d{6} for everybody", said)
    assert password == (alive.data / "people.password").read_text()
    for person in (*FIRST, *OTHERS):
        assert f"{person.number}  {person.name}, {person.role}" in said
        signed_in = _signed_in(alive, person.number)
        role = signed_in.get("/v1/session").json()["account"]["role"]["key"]
        assert role == person.role
    systems = _items(signed_in, "/v1/systems")
    found = {one["system"]: one for one in systems}
    assert {name: (one["training"], one["cost_cents"]) for name, one in found.items()} == {
        "grand": (False, 2_500),
        "main": (False, 500),
        "practice": (True, 500),
        "premium": (False, 1_000),
    }
    assert all(one["value_cents"] >= 20_000 * one["cost_cents"] for one in systems)
    assert found["main"]["tables"] == ["T1", "T2", "T4"]
    # A notice of the demo moves T7 there and back.
    assert {*found["grand"]["tables"], *found["premium"]["tables"]} == {"T3", "T5", "T6", "T7"}


def test_the_signs_that_are_printed_show_the_floor(alive: House, said: str) -> None:
    gateway = f"http://127.0.0.1:{alive.signage_port}"
    assert f"Signs        {gateway}/sign/T1 (so for each table), {gateway}/board" in said
    wait_until(lambda: get(alive.signage_port, "/healthz/ready").status == 200, 60)
    for page in ("/sign/T1", "/sign/P1", "/board"):
        assert get(alive.signage_port, page).status == 200
    stream = f"{gateway}/v1/stream?table=T3"
    with urlopen(stream, timeout=20) as opened:  # noqa: S310 - http, our own
        told = next(line for line in opened if line.startswith(b"data: "))
    shown = json.loads(told.removeprefix(b"data: "))
    assert [one["value_micros"] >= 20_000 * 10_000_000 for one in shown["meters"]] == [True]
    assert shown["table"]["game"] == "ultimate"


def test_every_link_of_the_guide_leads_somewhere(alive: House, said: str) -> None:
    assert f"Begin here   http://127.0.0.1:{alive.guide_port}/" in said
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


def test_a_newcomer_walks_every_stop_and_finds_the_trail_of_the_round(alive: House) -> None:
    person = alive.person
    whose = {"user": person.uid, "group": person.gid, "extra_groups": []}
    with (
        Terminal(person.home, alive.environment(), **whose) as terminal,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        guide = f"http://127.0.0.1:{alive.guide_port}/"
        played = newcomer.walk(browser, guide, terminal, lambda *_: None)
        browser.close()

    settled = _signed_in(alive, MANAGER).get(f"/v1/settlements?round={played}").json()
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
