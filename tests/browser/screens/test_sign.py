"""What the sign of a table says: the wager, the pay table, the seats, the notices, the proof."""

import re

import pytest
from playwright.sync_api import Page, expect

from meter_server.contract.look import FOLDER
from signage.settings import Settings
from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Json, Stage
from tests.rules import rule


def part(page: Page, name: str) -> str:
    return page.locator(f"[data-part={name}]").inner_text()


@rule("SGN-1", "SGN-5", "SGN-6")
def test_everything_a_guest_may_ask(stage: Stage, open_screen: Opener) -> None:
    stage.say(floors.floor())
    page = open_screen("/sign/T07")
    assert part(page, "figure") == "$482,310.44"
    assert part(page, "royal") == "Royal flush pays $482,311"
    assert part(page, "cost") == "$5"
    assert (part(page, "minimum"), part(page, "maximum")) == ("$15", "$500")
    rows = [row.split("\t") for row in part(page, "pay-rows").split("\n")]
    assert rows == [
        ["Royal flush", "100% of jackpot"],
        ["Straight flush", "10% of jackpot"],
        ["Four of a kind", "$3,000"],
        ["Full house", "$500"],
        ["Flush", "$300"],
        ["Straight", "$200"],
    ]
    assert page.locator(".seat.lit").all_inner_texts() == ["1", "2", "5"]
    assert page.locator(".seat").count() == 7


def test_a_camera_can_prove_what_was_shown(stage: Stage, open_screen: Opener) -> None:
    stage.say(floors.floor())
    page = open_screen("/sign/T07")
    assert re.fullmatch(r"09:30:1[5-9]", part(page, "clock"))
    assert page.locator("footer span").all_inner_texts() == [
        "Round t07-a/2/118",
        "five-dollar no. 81204",
        "Recorded 09:30:13",
        "Option 2",
    ]


@rule("SGN-4")
def test_a_notice_tells_the_time_of_the_change_and_what_is_left(
    stage: Stage, open_screen: Opener
) -> None:
    """By the server's clock: this screen's own is three hours late."""
    notices = [floors.notice("transfer-table", to="one-dollar", due=floors.instant(3))]
    stage.say(floors.floor(1, tables=[floors.table(notices=notices)]))
    page = open_screen("/sign/T07", script="Date.now = () => performance.timeOrigin - 1.08e7;")
    time = page.locator("[data-part=notice-time]")
    assert part(page, "notice-text") == "This table moves to the jackpot one-dollar."
    expect(time).to_have_text("From 09:30 · in 1 s")
    expect(time).to_have_text("May take effect now")

    stage.say(floors.floor(2, tables=[floors.table(notices=[floors.notice("remove-table")])]))
    expect(time).to_have_text("The time will be shown here")
    stage.say(floors.floor(3))
    expect(page.locator(".notice")).to_have_count(0)


@rule("SGN-4", "SGN-5")
@pytest.mark.parametrize(
    ("notice", "sentence"),
    [
        (
            floors.notice("raise-minimum", minimum_cents=2_500, maximum_cents=50_000),
            "The minimum bet at this table rises to $25 (maximum $500).",
        ),
        (
            floors.notice("change-terms", option=1, cost_cents=1_000),
            "The terms of this jackpot change: option 1, Jackpot wager $10.",
        ),
        (floors.notice("close-system"), "This jackpot closes."),
        (floors.notice("add-table", to="one-dollar"), "This table joins the jackpot one-dollar."),
    ],
)
def test_a_notice_says_what_will_change(
    stage: Stage, open_screen: Opener, notice: Json, sentence: str
) -> None:
    stage.say(floors.floor(tables=[floors.table(notices=[notice])]))
    assert part(open_screen("/sign/T07"), "notice-text") == sentence


def test_a_change_of_another_day_names_the_day(stage: Stage, open_screen: Opener) -> None:
    notices = [floors.notice("close-system", due=floors.instant(86_400))]
    stage.say(floors.floor(1, tables=[floors.table(notices=notices)]))
    page = open_screen("/sign/T07", timezone_id="Australia/Melbourne")
    assert re.fullmatch(r"From Tue,? 3 Mar, 20:30 · in 23:59:\d\d", part(page, "notice-time"))


WITHOUT_WAGERS: list[tuple[Json, str]] = [
    ({"taking": False}, "No Jackpot wagers at this table for now."),
    ({"tournament": True, "taking": False}, "Tournament: no Jackpot wagers at this table."),
    ({"state": "closed", "taking": False}, "This table is closed."),
    ({"meter": None, "taking": False}, "This table is not part of a jackpot."),
    ({"manual": True}, "Manual arrangements: please ask the dealer."),
]


def test_a_table_without_wagers_says_so_and_keeps_its_limits(
    stage: Stage, open_screen: Opener
) -> None:
    stage.say(floors.floor(1))
    page = open_screen("/sign/T07")
    expect(page.locator("[data-part=no-wagers]")).to_be_hidden()
    for order, (table, sentence) in enumerate(WITHOUT_WAGERS, start=2):
        stage.say(floors.floor(order, tables=[floors.table(**table)]))
        expect(page.locator("[data-part=no-wagers]")).to_have_text(sentence)
        assert (part(page, "minimum"), part(page, "maximum")) == ("$15", "$500")


def test_the_sign_of_an_unknown_table_says_so(stage: Stage, open_screen: Opener) -> None:
    stage.say(floors.floor())
    page = open_screen("/sign/T99")
    assert part(page, "no-wagers") == "This sign's table is not known."
    expect(page.locator("[data-part=figure]")).to_be_hidden()


@pytest.mark.parametrize("path", ["/sign/T07", "/board?meters=five-dollar"])
def test_training_is_marked(stage: Stage, open_screen: Opener, path: str) -> None:
    stage.say(floors.floor(meters=[floors.meter(training=True)]))
    page = open_screen(path)
    expect(page.locator("[data-part=training]")).to_have_text(
        "Training. Not a real jackpot: nothing is paid."
    )


def test_before_the_first_value_there_is_none(open_screen: Opener) -> None:
    page = open_screen("/sign/T07", standing="failing")
    assert part(page, "banner") == "No value yet. Connecting."
    assert part(page, "figure") == ""


HOUSE = Settings(
    accent="#00e5a0", logo_file=FOLDER / "icon.svg", time_zone="Australia/Melbourne", language="vi"
)


@pytest.mark.parametrize("stage", [HOUSE], indirect=True)
def test_a_house_has_its_own_colour_logo_time_and_language(
    stage: Stage, open_screen: Opener
) -> None:
    stage.say(floors.floor())
    page = open_screen("/sign/T07")
    expect(page.locator("[data-part=figure]")).to_have_css("color", "rgb(0, 229, 160)")
    assert page.locator(".logo").evaluate("(logo) => logo.naturalWidth") > 0
    assert re.fullmatch(r"20:30:1[5-9]", part(page, "clock"))
    expect(page.locator("h1")).to_have_text("Bàn T07")
