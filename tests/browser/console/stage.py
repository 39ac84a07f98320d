"""A table with its tablet: the agent's own process, and the page in Chromium."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize
from playwright.sync_api import expect as expect

from meter_server.contract.device import enrolment
from meter_server.contract.device.identity import Folder
from table_agent.running import open_outbox
from tests.browser.console.wire import Wire, wired
from tests.integration import programs
from tests.integration.devices.floor import one_time_code, open_system, open_table, unique
from tests.integration.office import PIN, ROLES, Office

LARGE: ViewportSize = {"width": 1280, "height": 800}
SMALL: ViewportSize = {"width": 1024, "height": 600}
TYPING_MS = 60
"""As slowly as a person: a card reader types faster."""
BUSY_MS = 60_000
"""What a busy machine is given for what takes a moment on a tablet."""
expect.set_options(timeout=BUSY_MS)
READER = """
(keys) => keys.forEach((key) =>
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))
"""
SETTLED = """
(name) => {
  const one = document.querySelector(`[data-part="${name}"]`);
  return !one.disabled && performance.now() - Number(one.dataset.changed ?? 0) > 500;
}
"""


@dataclass
class Stage:
    office: Office
    folder: Folder
    wire: Wire
    table: str
    port: int = field(default_factory=programs.free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "table_agent", "--folder", str(self.folder.path)]
        with (self.folder.path / "agent.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "run", "--port", str(self.port)], stdout=log, stderr=log
            )
        programs.wait_until(lambda: self.state()["step"] != "starting", 60)

    def stop(self) -> None:
        """Without a warning, as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)
            self.process = None

    def state(self) -> dict[str, Any]:
        answer = programs.get(self.port, "/state")
        state: dict[str, Any] = json.loads(answer.body)
        return state

    def tap(self, tap: str, **more: Any) -> dict[str, Any]:
        """As the page does it, for what a test only prepares."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        body = json.dumps({"tap": tap, **more})
        connection.request("POST", "/taps", body, {"Content-Type": "application/json"})
        told: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        assert "declined" not in told, told
        return told

    def taps(self) -> list[tuple[str, dict[str, Any]]]:
        """As they are kept for disputes."""
        return open_outbox(self.folder).taps()

    def sign_on(self) -> None:
        self.tap("sign-on", number=ROLES["dealer"], pin=PIN)


@contextmanager
def staged(
    office: Office,
    path: Path,
    game: str = "wsop",
    *,
    training: bool = False,
    cost_cents: int | None = None,
) -> Iterator[Stage]:
    table = open_table(office, game)
    open_system(office, [table], training=training, cost_cents=cost_cents)
    device, folder = unique("tab"), Folder(path, "table-agent")
    with wired(office.port) as wire:
        code = one_time_code(office, device, table)
        enrolment.enrol(folder, f"http://127.0.0.1:{wire.port}", device, code, at_table=True)
        stage = Stage(office, folder, wire, table)
        try:
            stage.start()
            yield stage
        finally:
            stage.stop()


@dataclass
class Console:
    """The page, and how often it was touched."""

    page: Page
    touches: int = 0

    def part(self, name: str) -> Locator:
        return self.page.locator(f'[data-part="{name}"]')

    def seat(self, number: int) -> Locator:
        return self.part("seats").get_by_role("button", name=f"Seat {number}:")

    def rank(self, title: str) -> Locator:
        return self.part("ranks").get_by_role("button", name=f"Call {title}")

    def touch(self, target: Locator) -> None:
        target.tap()
        self.touches += 1

    def choose(self, name: str) -> None:
        """In the sheet that is open."""
        sheet = self.page.get_by_role("dialog")
        self.touch(sheet.get_by_role("button", name=name).first)

    def back(self) -> None:
        self.touch(self.page.get_by_role("dialog").locator("footer button"))

    def settled(self, name: str) -> Locator:
        """One of the two main buttons, once it has been there long enough to be meant."""
        self.page.wait_for_function(SETTLED, arg=name, timeout=BUSY_MS)
        return self.part(name)

    def main(self, name: str) -> None:
        self.touch(self.settled(name))

    def press(self, key: str, name: str) -> None:
        self.settled(name)
        self.page.keyboard.press(key)

    def hold(self, name: str) -> None:
        """As long as it takes to be sure."""
        expect(self.part(name)).to_have_attribute("data-hold", "true")
        self.part(name).hover()
        self.page.mouse.down()
        self.page.wait_for_timeout(1600)
        self.page.mouse.up()

    def step(self, name: str) -> None:
        expect(self.page.locator(f'body[data-step="{name}"]')).to_be_attached(timeout=BUSY_MS)

    def round(self, *seats: int) -> None:
        """A round with these seats, and no others, is registered and recorded."""
        self.step("betting")
        lit = self.part("seats").locator('button[aria-pressed="true"] b')
        for seat in sorted({*seats} ^ {int(text) for text in lit.all_text_contents()}):
            self.touch(self.seat(seat))
        self.main("register")
        self.step("playing")

    def swipe(self, card: str) -> None:
        """As fast as a reader, however busy the machine: all its keys in one go."""
        self.page.evaluate(READER, [*card, "Enter"])

    def identify(self, role: str) -> None:
        """Number and PIN on the keys of the sheet."""
        for digit in ROLES[role]:
            self.choose(digit)
        self.choose("Next: PIN")
        for digit in PIN:
            self.choose(digit)
        self.choose("Confirm")


@contextmanager
def opened(browser: Browser, stage: Stage, size: ViewportSize = LARGE) -> Iterator[Console]:
    context = browser.new_context(
        viewport=size, has_touch=True, timezone_id="Etc/UTC", reduced_motion="reduce"
    )
    page = context.new_page()
    console = Console(page)
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.goto(f"http://127.0.0.1:{stage.port}/")
    expect(console.part("seats").locator("button").first).to_be_visible()
    try:
        yield console
        # A browser says so itself when the agent is away or declines; anything else is ours.
        wrong = [line for line in said if "Failed to load resource" not in line]
        assert wrong == [], wrong
    finally:
        context.close()
