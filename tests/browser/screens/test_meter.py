"""The figure of a meter: cut to the cent; it climbs to what is recorded, and falls at once."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Json, Stage
from tests.counts import count
from tests.rules import rule

WATCH = """
(() => {
  // What the page is told, before the page hears it: the value of the latest order.
  let order = 0, recorded = null;
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, heard) {
    listen.call(this, kind, (event) => {
      const said = JSON.parse(event.data);
      if (said.order >= order) {
        order = said.order;
        recorded = said.meters[0].value_micros;
      }
      heard(event);
    });
  };
  globalThis.seen = [];
  const look = () => {
    const text = document.querySelector("[data-part=figure]")?.textContent;
    if (text) seen.push([text, recorded]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
LAYOUTS = ["/sign/T07", "/board?meters=five-dollar"]


def at(order: int, micros: int, epoch: int = 1) -> Json:
    meter = floors.meter() | {"value_micros": micros, "epoch": epoch, "seq": order}
    return floors.floor(order, meters=[meter])


def cents(figure: str) -> int:
    assert figure[0] == "$"
    return int(figure[1:].replace(",", "").replace(".", ""))


@rule("A-46")
def test_the_figure_is_cut_to_the_cent(stage: Stage, open_screen: Opener) -> None:
    stage.say(at(1, 0))
    page = open_screen("/sign/T07")
    for order, (micros, figure) in enumerate(CUT.items(), start=2):
        stage.say(at(order, micros, epoch=order))
        expect(page.locator("[data-part=figure]")).to_have_text(figure)


CUT = {
    12_347_759_999: "$12,347.75",
    12_347_760_000: "$12,347.76",
    999_999_999: "$999.99",
    1_000_000_000: "$1,000.00",
    10_000: "$0.01",
    9_999: "$0.00",
    9_007_199_254_730_000: "$9,007,199,254.73",
}


@pytest.mark.parametrize("path", LAYOUTS)
@rule("SGN-1", "A-46")
def test_it_climbs_and_is_never_past_what_is_recorded(
    stage: Stage, open_screen: Opener, path: str
) -> None:
    """Also while a prize takes the meter down and frames from before it arrive late."""
    stage.say(at(1, 50_000_000_000))
    page = open_screen(path, script=WATCH)
    value, epoch, order = 50_000_000_000, 1, 1
    for step in range(count(30, 600)):
        order += 10
        value += 3_141_593
        if step % 10 == 7:  # a prize; then the meter as it stood before it, once more
            before = value
            value, epoch = 10_000_000_000 + step, epoch + 1
            stage.say(at(order, value, epoch), whole=False)
            stage.say(at(order - 5, before + 5_000_000, epoch - 1), whole=False)
        else:
            stage.say(at(order, value, epoch), whole=False)
        time.sleep(0.1)
    expect(page.locator("[data-part=figure]").first).to_have_text(_written(value))

    seen: list[tuple[str, int]] = page.evaluate("seen")
    assert [(figure, micros) for figure, micros in seen if cents(figure) > micros // 10_000] == []
    climbed = {(figure, micros) for figure, micros in seen}  # after each prize it is low again
    assert len(climbed) > 2 * count(30, 600), "it jumps instead of climbing"


@rule("A-46")
def test_a_fall_is_shown_at_once(stage: Stage, open_screen: Opener) -> None:
    stage.say(at(1, 50_000_000_000))
    page = open_screen("/sign/T07", script=WATCH)
    stage.say(at(2, 10_000_000_000, epoch=2), whole=False)
    expect(page.locator("[data-part=figure]")).to_have_text("$10,000.00")
    figures = {figure for figure, _ in page.evaluate("seen")}
    assert figures <= {"$50,000.00", "$10,000.00"}


def test_nothing_moves_where_less_motion_is_asked_for(stage: Stage, open_screen: Opener) -> None:
    stage.say(at(1, 50_000_000_000))
    page = open_screen("/sign/T07", script=WATCH, reduced_motion="reduce")
    stage.say(at(2, 50_009_000_000), whole=False)
    expect(page.locator("[data-part=figure]")).to_have_text("$50,009.00")
    assert {figure for figure, _ in page.evaluate("seen")} <= {"$50,000.00", "$50,009.00"}
    assert _animations(page) == 0


def test_a_card_never_climbs_from_another_meter(stage: Stage, open_screen: Opener) -> None:
    stage.speed = 20
    meters = [floors.meter("low", 100), floors.meter("high", 900_000)]
    stage.say(floors.floor(1, meters=meters))
    page = open_screen("/board?rotate&meters=low,high", script=WATCH)
    expect(page.locator("[data-meter=low]")).to_be_visible()
    expect(page.locator("[data-meter=high]")).to_be_visible()
    assert {figure for figure, _ in page.evaluate("seen")} <= {"$100.00", "$900,000.00"}


def _written(micros: int) -> str:
    return f"${micros // 1_000_000:,}.{micros // 10_000 % 100:02}"


def _animations(page: Page) -> int:
    running: int = page.evaluate("document.getAnimations().length")
    return running
