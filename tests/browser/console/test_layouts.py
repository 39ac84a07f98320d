"""Both sizes: nothing is cut off or scrolls, everything can be hit, and axe finds nothing."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from tests.browser.console.stage import LARGE, SMALL, Console, Stage, expect

TOO_SMALL_PX = 44
CUT_OFF = """
() => {
  const wrong = [];
  const {innerWidth: width, innerHeight: height} = window;
  const top = document.querySelector("dialog[open]") ?? document.body;
  for (const one of top.querySelectorAll("button, p, li, td, th, h1, h2, output, ul, section")) {
    if (!one.checkVisibility() || one.closest(".training")) continue;
    const box = one.getBoundingClientRect();
    const name = `${one.tagName} ${one.dataset.part ?? ""} ${one.textContent.trim().slice(0, 50)}`;
    if (box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > height + 1) {
      wrong.push(`outside: ${name}`);
    }
    const isCut = one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 2;
    if (one.clientWidth && isCut) wrong.push(`cut off: ${name}`);
    if (one.tagName === "BUTTON" && Math.min(box.width, box.height) < SMALLEST) {
      wrong.push(`too small: ${name}`);
    }
  }
  return wrong;
}
""".replace("SMALLEST", str(TOO_SMALL_PX))


def test_nothing_is_cut_off_at_either_size(console: Console, stage: Stage) -> None:
    for name in _steps(console, stage):
        for size in (LARGE, SMALL):
            console.page.set_viewport_size(size)
            console.page.wait_for_timeout(100)
            assert console.page.evaluate(CUT_OFF) == [], (name, size)
        found = Axe().run(console.page)
        assert found.violations_count == 0, (name, found.generate_report())
        console.page.set_viewport_size(LARGE)


def _steps(console: Console, stage: Stage) -> Iterator[str]:
    """A table's evening, stopping wherever there is something to see."""
    console.step("betting")
    yield "nobody"
    for seat in range(1, 8):
        console.touch(console.seat(seat))
    expect(console.part("register")).to_be_enabled()
    yield "betting"
    yield from _sheets(console, "person", "pays", "close")
    console.main("register")
    console.step("playing")
    yield "playing"
    yield from _sheets(console, "irregular", "too-early", "rounds")
    yield from _hands(console)
    console.hold("record")
    console.step("betting")
    expect(console.part("pay").locator("li")).to_have_count(4)
    yield "paying"
    stage.wire.cut()
    expect(console.part("now")).to_have_text("Take no Jackpot wagers.", timeout=40_000)
    yield "closed"


def _sheets(console: Console, *parts: str) -> Iterator[str]:
    for part in parts:
        console.touch(console.part(part))
        expect(console.page.get_by_role("dialog")).to_be_visible()
        yield part
        console.back()


def _hands(console: Console) -> Iterator[str]:
    for seat in (1, 2, 4):
        console.touch(console.seat(seat))
        if seat == 1:
            yield "choosing a hand"
        console.choose("Four of a kind")
    console.touch(console.seat(3))
    console.choose("Straight flush")
    console.choose("diamonds")
    console.choose("9")
    yield "choosing cards"
    for card in ("9 of diamonds", "8 of diamonds", "These are the cards"):
        console.choose(card)
    expect(console.part("record-label")).to_have_text("Hold to record")
    yield "declared"
