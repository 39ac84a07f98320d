"""A screen is paired by its code, and then tells the house what it has painted."""

import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Stage
from tests.browser.screens.tabs import browsing
from tests.integration.programs import wait_until

NOTICE = floors.notice(due=floors.instant(754))
SPEED = 10


@pytest.fixture
def sign(stage: Stage, open_screen: Opener) -> Page:
    """The paired sign of table T07; its ten seconds take one."""
    stage.speed = SPEED
    stage.say(floors.floor(1))
    page = open_screen("/", standing=None)
    pair(stage, page, layout="sign", table="T07")
    expect(page.locator("[data-standing=working]")).to_be_visible()
    return page


def pair(stage: Stage, page: Page, **role: object) -> None:
    code = page.locator("[data-part=code]")
    expect(code).to_be_visible()
    stage.pair(code.inner_text(), **role)


def test_a_new_screen_shows_its_code_and_becomes_what_it_is_given(
    stage: Stage, open_screen: Opener
) -> None:
    stage.say(floors.floor(1))
    page = open_screen("/?lang=vi", standing=None)
    expect(page.locator("h1")).to_have_text("Màn hình mới")
    expect(page.locator("[data-part=code]")).to_be_visible()
    assert Axe().run(page).response["violations"] == []

    pair(stage, page, layout="sign", table="T07")
    expect(page.locator("h1")).to_have_text("Bàn T07")
    expect(page.locator("[data-part=figure]")).to_have_text("$482,310.44")


def test_a_screen_may_be_given_another_role(stage: Stage, sign: Page) -> None:
    stage.assign(layout="side-by-side", meters=("five-dollar",))
    expect(sign.locator(".card [data-part=figure]")).to_have_text("$482,310.44")
    stage.assign()
    expect(sign.locator("[data-part=code]")).to_be_visible()


def test_a_code_is_not_shown_while_nobody_may_know_it(stage: Stage, open_screen: Opener) -> None:
    stage.speed = SPEED
    page = open_screen("/", standing=None)
    expect(page.locator("[data-part=code]")).to_be_visible()
    stage.cut()
    expect(page.locator("[data-part=code]")).to_be_hidden()
    expect(page.locator("[data-part=what-to-do]")).to_have_text("Connecting to the gateway.")
    stage.mend()
    expect(page.locator("[data-part=code]")).to_be_visible()


def test_what_was_painted_is_told(stage: Stage, sign: Page) -> None:
    wait_until(lambda: len(stage.reports) == 1, 10)
    assert stage.reports[0].model_dump() == {
        "meters": [
            {
                "meter": "five-dollar",
                "from_seq": 81_204,
                "to_seq": 81_204,
                "value_micros": 482_310_440_000,
            }
        ],
        "notices": [],
    }
    for seq in (81_205, 81_209):
        stage.say(floors.floor(seq, meters=[floors.meter(dollars=482_320.55) | {"seq": seq}]))
        expect(sign.locator("[data-part=seq]")).to_contain_text(f"{seq}")
    wait_until(lambda: stage.reports[-1].meters[0].to_seq == 81_209, 10)
    told = [meter for report in stage.reports[1:] for meter in report.meters]
    assert told[0].from_seq in (81_204, 81_205)
    assert max(meter.value_micros for meter in told) <= 482_320_550_000


@pytest.mark.usefixtures("sign")
def test_a_notice_is_told_as_soon_as_it_is_on_the_screen(stage: Stage) -> None:
    wait_until(lambda: len(stage.reports) == 1, 10)
    stage.say(floors.floor(2, tables=[floors.table(notices=[NOTICE])]))
    wait_until(lambda: list(stage.reports[-1].notices) == ["N-7"], 10)
    stage.say(floors.floor(3))
    wait_until(lambda: list(stage.reports[-1].notices) == [], 10)


@pytest.mark.parametrize(
    "cover",
    [
        (
            "const cover = document.createElement('div'); cover.className = 'cover';"
            "document.body.append(cover); Object.assign(cover.style,"
            "{position: 'fixed', left: 0, top: 0, width: '100%', height: '100%'})"
        ),
        "document.querySelector('.notices').style.transform = 'translateY(200vh)'",
        "document.querySelector('.notices').style.display = 'none'",
    ],
    ids=["covered", "off the screen", "not drawn"],
)
def test_a_notice_that_nobody_can_see_is_not_told(stage: Stage, sign: Page, cover: str) -> None:
    wait_until(lambda: len(stage.reports) == 1, 10)
    sign.evaluate(f"() => {{ {cover} }}")
    stage.say(floors.floor(2, tables=[floors.table(notices=[NOTICE])]))
    expect(sign.locator(".notice")).to_have_count(1)
    _say_on(stage, 2)
    assert {name for report in stage.reports for name in report.notices} == set()


def test_a_hidden_tab_tells_nothing(stage: Stage, tmp_path: Path) -> None:
    with_notice = [floors.table(notices=[NOTICE])]
    stage.say(floors.floor(1))
    with browsing(stage.address, tmp_path) as tabs:
        wait_until(lambda: len(stage.screens.batch().asking) == 1, 20)
        stage.pair(stage.screens.batch().asking[0].code, layout="sign", table="T07")
        wait_until(lambda: len(stage.reports) == 1, 20)

        tabs.cover()
        time.sleep(1)
        stage.say(floors.floor(2, tables=with_notice))
        _say_on(stage, 12)  # longer than a visible page is ever silent
        assert len(stage.reports) == 1

        stage.say(floors.floor(200, tables=with_notice))
        tabs.uncover()
        wait_until(lambda: list(stage.reports[-1].notices) == ["N-7"], 20)


def _say_on(stage: Stage, seconds: int, age_ms: int = 0) -> None:
    """Fresh frames, each of them a reason to report."""
    for step in range(5 * seconds):
        moved = floors.meter() | {"seq": 90_000 + step}
        stage.say(floors.floor(100 + step, meters=[moved]), whole=False, age_ms=age_ms)
        time.sleep(0.2)


def test_a_page_that_is_not_current_tells_nothing(stage: Stage, sign: Page) -> None:
    wait_until(lambda: len(stage.reports) == 1, 10)
    stage.say(floors.floor(2), age_ms=60_000)
    expect(sign.locator("[data-standing=failing]")).to_be_visible()
    count = len(stage.reports)
    _say_on(stage, 3, age_ms=60_000)
    assert len(stage.reports) == count


def test_a_page_that_is_no_screen_of_the_house_tells_nothing(
    stage: Stage, open_screen: Opener
) -> None:
    stage.speed = SPEED
    stage.say(floors.floor(1))
    page = open_screen("/sign/T07")
    page.wait_for_timeout(2_500)
    assert stage.reports == []
