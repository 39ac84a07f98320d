"""A stage, and screens that look at it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.screens.stage import Stage, staged

Opener = Callable[..., Page]

FASTER = """
(() => {
  const began = performance.now(), wall = Date.now();
  const real = performance.now.bind(performance), every = setInterval;
  let slept = 0;
  performance.now = () => began + (real() - began) * SPEED;
  Date.now = () => wall + slept + (real() - began) * SPEED;
  globalThis.setInterval = (does, ms) => every(does, ms / (SPEED || 1));
  globalThis.sleep = (ms) => { slept += ms; };
})();
"""
"""A clock that runs faster, or stands at speed 0; and a machine that can be put to sleep: its
monotonic clock stops, the time of day goes on."""


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """With the settings of a house where a test gives some."""
    with staged(getattr(request, "param", None)) as stage:
        yield stage


@pytest.fixture
def open_screen(chromium: Browser, stage: Stage) -> Iterator[Opener]:
    """Open a page of the stage and wait for its first value."""
    with ExitStack() as contexts:

        def opened(
            path: str, standing: str | None = "working", script: str = "", **options: object
        ) -> Page:
            screen = {"width": 1920, "height": 1080}
            settings = {"viewport": screen, "timezone_id": "Etc/UTC", **options}
            context = contexts.enter_context(chromium.new_context(**settings))  # type: ignore[arg-type]
            context.add_init_script(FASTER.replace("SPEED", str(stage.speed)) + script)
            page = context.new_page()
            page.goto(stage.address + path)
            if standing is not None:
                expect(page.locator(f"[data-standing={standing}]")).to_be_visible()
            return page

        yield opened
