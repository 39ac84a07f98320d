"""What one deck cannot give is said, with the ways out."""

import pytest

from tests.browser.console.stage import LARGE, SMALL, Console, Stage, expect
from tests.browser.console.test_layouts import CUT_OFF


@pytest.mark.parametrize("stage", ["three-card"], indirect=True)
def test_two_royals_are_not_possible_with_one_deck(console: Console, stage: Stage) -> None:
    console.round(1, 2)
    for seat in (1, 2):
        console.touch(console.seat(seat))
        console.choose("Royal flush")
        console.choose("Without cards")
    expect(console.part("wrong")).to_contain_text("Not possible with one deck.")
    expect(console.part("wrong")).to_contain_text("A TG Higher Duties Dealer must confirm.")
    for size in (LARGE, SMALL):
        console.page.set_viewport_size(size)
        assert console.page.evaluate(CUT_OFF) == []
    # One way out is that the deck is wrong ...
    console.touch(console.part("deck"))
    expect(console.page.get_by_role("dialog")).to_contain_text("The deck does not hold 52 cards")
    console.back()
    # ... the other that the entry is.
    console.touch(console.part("correct"))
    expect(console.part("record-label")).to_have_text("No winners")
    assert stage.state()["outcome"]["hands"] == []
