"""Every layout at every size in every language: nothing overlaps, nothing is cut off."""

import re
from typing import get_args

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, ViewportSize, expect

from signage.settings import Language, Theme
from tests.browser.screens import floors
from tests.browser.screens.conftest import Opener
from tests.browser.screens.stage import Json, Stage
from tests.counts import FULL

SIZES: dict[str, ViewportSize] = {
    "full HD": {"width": 1920, "height": 1080},
    "4K": {"width": 3840, "height": 2160},
    "portrait": {"width": 1080, "height": 1920},
    "tablet": {"width": 1280, "height": 800},
}
LONG = "A" * 19 + "-" + "M" * 20
"""A name may have forty characters."""

METERS = [
    floors.meter(),
    floors.meter("one-dollar", 98_204.15, cost_cents=100),
    floors.meter("high-rollers", 1_204_998.07, cost_cents=2_000),
    floors.meter("training", 10_000, training=True),
    floors.meter("closed", 20_000, state="closed"),
    floors.meter(LONG, 99_999_999.99, cost_cents=10_000_000),
]
HITS = [
    floors.hit("h1", hand="royal-flush", amount_micros=99_999_999_000_000, at=floors.instant(-9e6)),
    floors.hit("h2", table=LONG, verified=False),
    floors.hit("h3", amount_micros=None, verified=False, at=floors.instant(-90_000)),
]
NEW_HITS = [
    floors.hit("n1", hand="royal-flush", table=LONG, verified=False, at=floors.instant(-1)),
    floors.hit("n2", table=LONG, amount_micros=None, verified=False, at=floors.instant(-1)),
    *(floors.hit(f"n{n}", at=floors.instant(-1)) for n in range(3, 7)),
]
LONGEST_TABLE: Json = {
    "seats": 9,
    "registered": [*range(1, 10)],
    "round": f"{LONG}/9999/999999",
    "maximum_cents": 1_000_000_000,
    "taking": False,
    "notices": [
        floors.notice("transfer-table", to=LONG, due=floors.instant(754)),
        floors.notice(
            "change-terms",
            due=floors.instant(86_000),
            notice="N-8",
            option=2,
            cost_cents=10_000_000,
        ),
        floors.notice("remove-table", notice="N-9"),
    ],
}
CROWD = [
    *LONGEST_TABLE["notices"],
    floors.notice(
        "raise-minimum",
        due=floors.instant(1_199),
        notice="N-10",
        minimum_cents=10_000_000,
        maximum_cents=1_000_000_000,
    ),
    floors.notice("close-system", due=floors.instant(86_000), notice="N-11"),
    floors.notice("add-table", to=LONG, notice="N-12"),
]

FLOORS: dict[str, Json] = {
    "usual": floors.floor(1, meters=METERS, hits=HITS),
    "notice": floors.floor(
        2, tables=[floors.table(notices=[floors.notice(due=floors.instant(754))])], hits=HITS
    ),
    "hit": floors.floor(3, meters=METERS, hits=HITS + NEW_HITS),
    "longest": floors.floor(
        4,
        meters=[floors.meter(dollars=99_999_999.99, training=True), *METERS[1:]],
        tables=[floors.table(**LONGEST_TABLE)],
        hits=HITS + NEW_HITS,
    ),
    "many notices": floors.floor(
        5, tables=[floors.table(**LONGEST_TABLE | {"notices": CROWD})], hits=HITS + NEW_HITS
    ),
}
CELEBRATED = ("hit", "longest", "many notices")
"""The others have less on them."""
TURNS = 5 if FULL else 1
"""Of the six hits to celebrate: the first has most to say."""
AGES_MS = (0, 12_000, 3_700_000)
"""Live, not current, not available."""
LAYOUTS = {
    "sign": "/sign/T07?",
    "one meter": "/board?meters=five-dollar",
    "in turn": "/board?rotate&meters=five-dollar,one-dollar,high-rollers",
    "two meters": "/board?meters=five-dollar,one-dollar",
    "three meters": "/board?meters=five-dollar,one-dollar,high-rollers",
    "six meters": f"/board?meters=five-dollar,one-dollar,high-rollers,training,closed,{LONG}",
}

FAULTS = """() => {
  const faults = [], boxes = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const text = node.data.trim(), parent = node.parentElement;
    if (!text || parent.closest("script, template")) continue;
    if (getComputedStyle(parent).visibility === "hidden") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, width, height } of range.getClientRects()) {
      // A line of text is as high as its font; its letters are a little lower.
      const box = { text, left: left + 1, right: left + width - 1,
                    top: top + height * 0.2, bottom: top + height * 0.8 };
      if (width > 0) boxes.push(box);
    }
  }
  for (const [index, one] of boxes.entries()) {
    if (one.left < 0 || one.top < 0 || one.right > innerWidth || one.bottom > innerHeight)
      faults.push(`off the screen: ${one.text}`);
    for (const other of boxes.slice(index + 1))
      if (one.left < other.right && other.left < one.right &&
          one.top < other.bottom && other.top < one.bottom)
        faults.push(`on each other: ${one.text} / ${other.text}`);
  }
  const places = ".card, .celebration, .notice, .pays, .banner, .top";
  for (const card of document.querySelectorAll(places))
    if (card.scrollWidth > card.clientWidth + 1 || card.scrollHeight > card.clientHeight + 1)
      faults.push(`too large for its place: ${card.className || card.tagName}`);
  if (document.body.scrollHeight > innerHeight) faults.push("higher than the screen");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the screen");
  return [...new Set(faults)];
}"""

WIDER = """addEventListener("DOMContentLoaded", () => {
  const wider = new CSSStyleSheet();
  wider.replaceSync("* { letter-spacing: 0.06em !important }");
  document.adoptedStyleSheets.push(wider);
})"""
"""A letter is about 0.6 em wide."""

PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_is_cut_off(stage: Stage, open_screen: Opener, layout: str, language: str) -> None:
    assert _faults(stage, open_screen, f"{LAYOUTS[layout]}&lang={language}") == {}


@pytest.mark.parametrize("layout", ["sign", "three meters", "six meters"])
def test_it_also_fits_in_wider_letters(stage: Stage, open_screen: Opener, layout: str) -> None:
    """Those of a machine without our fonts may be wider by a tenth, whichever it has."""
    assert _faults(stage, open_screen, f"{LAYOUTS[layout]}&lang=vi", WIDER) == {}


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "sign"])
def test_a_board_that_celebrates_still_says_what_a_royal_pays(
    stage: Stage, open_screen: Opener, layout: str
) -> None:
    stage.speed = 0
    stage.say(FLOORS["hit"])
    page = open_screen(LAYOUTS[layout])
    for size in SIZES.values():
        page.set_viewport_size(size)
        expect(page.locator(".celebration")).to_be_in_viewport(ratio=1)
        cards = page.locator(".card:has([data-part=closed][hidden])").all()
        assert cards
        for card in cards:
            for part in ("figure", "royal", "cost"):
                expect(card.locator(f"[data-part={part}]")).to_be_in_viewport(ratio=1)


def test_what_is_cut_off_is_noticed(stage: Stage, open_screen: Opener) -> None:
    stage.say(FLOORS["usual"])
    page = open_screen("/sign/T07")
    # In one breath: the next frame writes the heading anew.
    too_wide = "document.querySelector('h1').textContent = 'W'.repeat(300)"
    assert page.evaluate(f"() => {{ {too_wide}; return ({FAULTS})(); }}") != []


@pytest.mark.parametrize(
    ("layout", "theme"),
    [
        *(("sign", theme) for theme in get_args(Theme)),
        *((board, "dark") for board in ("three meters", "six meters")),
    ],
)
def test_everybody_can_read_it(stage: Stage, open_screen: Opener, layout: str, theme: str) -> None:
    stage.say(FLOORS["longest"])
    page = open_screen(f"{LAYOUTS[layout]}&theme={theme}")
    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize(("path", "shown"), [("/", "[data-part=code]"), ("/screens", "a")])
def test_staff_can_read_what_is_for_them(
    stage: Stage, open_screen: Opener, path: str, shown: str
) -> None:
    """The code of a new screen, and the list of pages."""
    stage.say(FLOORS["usual"])
    page = open_screen(path, standing=None)
    expect(page.locator(shown).first).to_be_visible()
    assert Axe().run(page).response["violations"] == []


def _faults(stage: Stage, open_screen: Opener, path: str, script: str = "") -> Json:
    """What is wrong on each floor at each age and size, while each of its hits is celebrated.

    The page's clock stands, so that a slow machine sees the same hits as a quick one.
    """
    stage.speed = 0
    found = {}
    for name in FLOORS if FULL else CELEBRATED:
        turns = TURNS if name in CELEBRATED else 1
        stage.say(FLOORS[name])
        page = open_screen(path, script=script)
        for turn in range(1, turns + 1):
            for age_ms in AGES_MS:
                _let_age(page, stage, FLOORS[name], age_ms)
                for size in SIZES:
                    page.set_viewport_size(SIZES[size])
                    page.evaluate(PAINTED)
                    if faults := page.evaluate(FAULTS):
                        found[f"{name}, hit {turn}, {size}, {age_ms} ms"] = faults
            if turn < turns:
                _celebrate_the_next(page)
        page.close()
    return found


def _let_age(page: Page, stage: Stage, floor: Json, age_ms: int) -> None:
    stage.say(floor, age_ms=age_ms)
    state = "working" if age_ms == 0 else "(impaired|failing)"
    expect(page.locator("body")).to_have_attribute("data-standing", re.compile(f"^{state}$"))
    expect(page.locator("body")).to_have_attribute("data-order", str(floor["order"]))


def _celebrate_the_next(page: Page) -> None:
    order = page.locator("[data-part=celebrated-order]")
    before = order.inner_text()
    page.evaluate("sleep(6001)")
    expect(order).not_to_have_text(before)
