"""Whole rounds as a dealer lives them, by touch and by keyboard, with every touch counted."""

import re

from tests.browser.console.stage import BUSY_MS, LARGE, READER, SMALL, Console, Stage, expect
from tests.browser.console.test_layouts import CUT_OFF
from tests.integration.rulings.tables import determine


def test_two_taps_without_winners_and_two_more_for_a_bonus_hand(console: Console) -> None:
    console.round(1, 2, 5)
    console.main("record")
    console.step("betting")
    # The same players again: register, no winners.
    console.touches = 0
    console.main("register")
    console.step("playing")
    console.main("record")
    console.step("betting")
    assert console.touches == 2
    console.touches = 0
    console.main("register")
    console.step("playing")
    console.touch(console.seat(2))
    console.choose("Full house")
    expect(console.part("record-label")).to_have_text("Record")
    console.main("record")
    console.step("betting")
    assert console.touches == 4
    expect(console.part("pay")).to_contain_text("Pay seat 2 $")
    expect(console.part("pay")).to_contain_text("for full house.")


def test_a_whole_round_by_keyboard_alone(console: Console) -> None:
    keys = console.page.keyboard
    console.step("betting")
    for key in ("F1", "F3", "F7", "F7"):
        keys.press(key)
    expect(console.part("register-label")).to_contain_text("Register 2 \N{MULTIPLICATION SIGN}")
    console.press("Home", "register")
    console.step("playing")
    keys.press("F3")
    keys.press("F5")  # the fifth of the pay table: a flush
    expect(console.part("hands")).to_contain_text("Seat 3: flush")
    console.press("End", "record")
    console.step("betting")
    expect(console.part("pay")).to_contain_text("for flush.")


def test_a_seat_pressed_again_before_its_answer_is_turned_back(console: Console) -> None:
    console.step("betting")
    console.page.evaluate(READER, ["F1", "F3", "F7", "F7", "F5", "F5", "F5"])
    expect(console.part("register-label")).to_contain_text("Register 3 \N{MULTIPLICATION SIGN}")
    for seat, word in ((1, "wager"), (3, "wager"), (5, "wager"), (7, "no wager")):
        expect(console.seat(seat)).to_have_attribute("aria-label", f"Seat {seat}: {word}")
    console.page.evaluate(READER, ["F7"])
    expect(console.seat(7)).to_have_attribute("aria-label", "Seat 7: wager")


SLIPPING = """
() => {
  const record = document.querySelector('[data-part="record"]');
  new MutationObserver(() => {
    document.body.dataset.slips = Number(document.body.dataset.slips ?? 0) + !record.disabled;
    record.click();
  }).observe(document.body, { attributeFilter: ["data-step"] });
}
"""
"""A finger that is on the other button in the very moment in which it can be pressed."""


def test_a_double_tap_registers_and_does_nothing_else(console: Console, stage: Stage) -> None:
    console.step("betting")
    console.touch(console.seat(4))
    register = console.settled("register")
    console.page.evaluate(SLIPPING)
    register.dblclick()
    console.step("playing")
    expect(console.page.locator("body[data-slips]")).to_have_attribute("data-slips", "1")
    console.settled("record")
    assert stage.state()["step"] == "playing"
    assert [line["what"] for line in stage.state()["recent"]] == ["Wagers of seat 4"]


def test_a_winner_that_folded_wins_nothing(console: Console) -> None:
    console.round(1, 6)
    console.touch(console.seat(6))
    console.choose("Four of a kind")
    console.touch(console.page.get_by_role("button", name="Seat 6 folded"))
    expect(console.part("hands")).to_contain_text("Seat 6: folded, no jackpot")
    console.main("record")
    console.step("betting")
    expect(console.part("pay").locator("li")).to_have_count(0)


def test_a_royal_by_its_cards_is_held_for_the_manager(console: Console, stage: Stage) -> None:
    console.round(3)
    console.touch(console.seat(3))
    console.choose("Royal flush")
    for card in ("spades", "ace of spades", "king of spades", "These are the cards"):
        console.choose(card)
    # 10,000 x $1.01 and 100% of one wager's part: it falls back to the seed.
    expect(console.part("fall")).to_contain_text("The meter falls from $")
    console.touch(console.settled("record"))
    assert stage.state()["step"] == "playing"  # a touch is not enough
    console.hold("record")
    console.step("betting")
    expect(console.part("pay")).to_contain_text("the TG Assistant Casino Manager must come")
    [hand] = stage.state()["last_round"]["hands"]
    assert hand == {"seat": 3, "hand": "royal-flush"}
    touches = console.touches
    manager = "TG Assistant Casino Manager"
    expect(console.rank(manager)).to_have_class(re.compile("needed"))
    console.touch(console.rank(manager))
    expect(console.part("calls")).to_contain_text(
        "TG Assistant Casino Manager called: Prize to determine"
    )
    assert console.touches == touches + 1
    expect(console.part("ranks").get_by_role("button", name=manager)).to_be_disabled()
    console.touch(console.page.get_by_role("button", name="Has come"))
    _determine(stage)
    said = console.part("pay")
    expect(said).to_contain_text("Determined: pay it", timeout=BUSY_MS)
    expect(said).to_contain_text("play on with the second deck.")
    for size in (SMALL, LARGE):
        console.page.set_viewport_size(size)
        assert console.page.evaluate(CUT_OFF) == []
    console.round(3)


def _determine(stage: Stage) -> None:
    """At his own desk, as he saw it."""
    manager = stage.office.of_role("assistant-casino-manager")
    pending = manager.get("/v1/prizes?state=pending&limit=100").json()["items"]
    [prize] = [one for one in pending if one["table"] == stage.table]
    assert determine(manager, prize["prize"]).status == 200
