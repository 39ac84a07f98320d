"""A tablet breaks in the middle of a round, and another one takes its table over."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.console.stage import BUSY_MS, Console, Stage, expect, opened, staged
from tests.browser.console.test_layouts import CUT_OFF
from tests.integration import programs
from tests.integration.office import PIN, ROLES


def test_another_tablet_goes_on_with_the_round(
    chromium: Browser, console: Console, stage: Stage, tmp_path: Path
) -> None:
    console.round(2, 5)
    with staged(stage.office, tmp_path / "spare") as spare:
        spare.sign_on()
        place = spare.tap("seat", place=spare.state()["place"], seat=1, lit=True)["state"]["place"]
        spare.tap("register", place=place)
        programs.wait_until(lambda: spare.state()["step"] == "playing", 60)
        assert spare.state()["said"]
        spare.stop()
        told = _take_over(spare, stage.table)
        assert told == (
            f"This tablet stands at table {stage.table} now; fenced: "
            f"{stage.folder.identity().device}.\n"
        )
        # The old one says so, and takes nothing.
        expect(console.part("status")).to_contain_text(
            f"took over table {stage.table}", timeout=BUSY_MS
        )
        expect(console.part("now")).to_contain_text("Go on at the other tablet.")
        for part in ("register", "record", "irregular"):
            expect(console.part(part)).to_be_disabled()
        assert console.page.evaluate(CUT_OFF) == []
        spare.start()
        spare.sign_on()
        with opened(chromium, spare) as other:
            other.step("playing")
            expect(other.seat(2)).to_contain_text("in")
            expect(other.seat(5)).to_contain_text("in")
            # What it was told to do at its own table is not said here.
            expect(other.part("said").locator("li")).to_have_count(0)
            other.touch(other.seat(5))
            other.choose("Flush $")
            expect(other.part("record-label")).to_have_text("Record")
            other.main("record")
            other.step("betting")
            expect(other.part("pay")).to_contain_text("Pay seat 5 $")
            other.round(2, 5)


def _take_over(spare: Stage, table: str) -> str:
    command = [sys.executable, "-m", "table_agent", "--folder", str(spare.folder.path)]
    supervisor = ["--number", ROLES["higher-duties"], "--pin", PIN]
    done = subprocess.run(
        [*command, "take-over", table, *supervisor], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
