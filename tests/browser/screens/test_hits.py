"""A prize off a meter, told large: each in its order, never over the meter, never in a flicker."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Json, Stage
from tests.integration.programs import wait_until

ROYAL = floors.hit(
    "r", hand="royal-flush", table="T09", amount_micros=482_311_000_000, at=floors.instant(-1)
)
FLUSH = floors.hit("s", table="T02", amount_micros=None, verified=False, at=floors.instant(-1))
THIRD = floors.hit("t", table="T05", verified=False, at=floors.instant(-1))
LAYOUTS = ["/sign/T07", "/board?meters=five-dollar"]

WATCH = """
(() => {
  // Everything that is told large, in its order.
  globalThis.told = [];
  const parts = ["order", "hand", "table", "prize", "verifying", "next"];
  const look = () => {
    const panel = document.querySelector("[data-part=celebration]");
    if (panel && !panel.hidden) {
      const shown = parts.map((part) => panel.querySelector(`[data-part=celebrated-${part}]`))
        .filter((part) => part.checkVisibility()).flatMap((part) => part.innerText.split("\\n"));
      const text = shown.filter(Boolean).join(" | ");
      if (told.at(-1) !== text) told.push(text);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


def say(stage: Stage, order: int, *hits: Json) -> None:
    stage.say(floors.floor(order, hits=hits))


@pytest.mark.parametrize("path", LAYOUTS)
def test_overlapping_hits_wait_for_their_turn(stage: Stage, open_screen: Opener, path: str) -> None:
    stage.speed = 10
    say(stage, 1)
    page = open_screen(path, script=WATCH)
    panel = page.locator("[data-part=celebration]")
    expect(panel).to_be_hidden()
    say(stage, 2, ROYAL, FLUSH, THIRD)
    expect(panel).to_be_visible()
    expect(panel).to_be_hidden(timeout=15_000)
    say(stage, 3, ROYAL, FLUSH, THIRD)  # known by now
    expect(page.locator("[data-order='3']")).to_be_visible()
    expect(panel).to_be_hidden()

    assert page.evaluate("told") == [
        (
            "1 of 3 | Royal flush | Table T09 | $482,311 | "
            "2 of 3 · Straight flush · Table T02 · being verified | "
            "3 of 3 · Straight flush · Table T05 · $51,234.50"
        ),
        (
            "2 of 3 | Straight flush | Table T02 | being verified | "
            "3 of 3 · Straight flush · Table T05 · $51,234.50"
        ),
        "3 of 3 | Straight flush | Table T05 | $51,234.50 | being verified",
    ]


def test_a_hit_is_verified_while_it_is_told(stage: Stage, open_screen: Opener) -> None:
    say(stage, 1, FLUSH)
    page = open_screen("/sign/T07")
    expect(page.locator("[data-part=celebrated-prize]")).to_have_text("being verified")
    say(stage, 2, FLUSH | {"amount_micros": 48_231_100_000, "verified": True})
    expect(page.locator("[data-part=celebrated-prize]")).to_have_text("$48,231.10")
    expect(page.locator("[data-part=celebrated-verifying]")).to_be_hidden()
    expect(page.locator("[data-part=hits] .prize")).to_have_text("$48,231.10")


def test_what_is_long_ago_is_listed_and_not_told(stage: Stage, open_screen: Opener) -> None:
    say(stage, 1, ROYAL | {"at": floors.instant(-121)})
    page = open_screen("/sign/T07")
    expect(page.locator("[data-part=hits] .hand")).to_have_text("Royal flush")
    expect(page.locator("[data-part=celebration]")).to_be_hidden()


@pytest.mark.parametrize("path", LAYOUTS)
def test_the_meter_and_the_notices_stay_in_sight(
    stage: Stage, open_screen: Opener, path: str
) -> None:
    tables = [floors.table(notices=[floors.notice(due=floors.instant(754))])]
    stage.say(floors.floor(1, tables=tables, hits=[ROYAL, FLUSH, THIRD]))
    page = open_screen(path)
    expect(page.locator("[data-part=celebration]")).to_be_visible()
    assert _is_in_sight(page)
    page.set_viewport_size({"width": 1080, "height": 1920})
    wait_until(lambda: _is_in_sight(page), 5)


def _is_in_sight(page: Page) -> bool:
    seen: bool = page.evaluate(
        """() => [...document.querySelectorAll("[data-part=figure], .notice")].every((part) => {
          const { left, top, width, height } = part.getBoundingClientRect();
          return width > 0 && [0.02, 0.25, 0.5, 0.75, 0.98].every((share) => part.contains(
            document.elementFromPoint(left + width * share, top + height / 2)));
        })"""
    )
    return seen


def test_at_most_three_flashes_a_second(stage: Stage, open_screen: Opener) -> None:
    """WCAG 2.3.1; a cycle that brightens and darkens once is one flash."""
    say(stage, 1, ROYAL)
    page = open_screen("/sign/T07")
    cycles = page.evaluate("document.getAnimations().map(one => one.effect.getTiming().duration)")
    assert len(cycles) == 1
    assert all(cycle >= 1000 / 3 for cycle in cycles)


def test_no_flash_where_less_motion_is_asked_for(stage: Stage, open_screen: Opener) -> None:
    say(stage, 1, ROYAL)
    page = open_screen("/sign/T07", reduced_motion="reduce")
    expect(page.locator("[data-part=celebration]")).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_flood_of_hits_is_bounded(stage: Stage, open_screen: Opener) -> None:
    flood = [floors.hit(f"f{n}", at=floors.instant(-1)) for n in range(200)]
    say(stage, 1, *flood)
    page = open_screen("/sign/T07")
    expect(page.locator("[data-part=celebrated-order]")).to_have_text("1 of 12")
    expect(page.locator("[data-part=celebrated-next] li")).to_have_count(3)
