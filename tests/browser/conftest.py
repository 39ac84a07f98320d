"""A real Chromium, and the real server for it to look at."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.integration import programs

FLAGS = [
    "--no-sandbox",  # as root there is none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

expect.set_options(timeout=20_000)
"""A busy machine paints late; what is never painted still fails."""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's browser: test tools cannot download one everywhere.

    It ends with these tests: while it is open its event loop runs in this thread, and no other can.
    """
    program = shutil.which("chromium")
    assert program, "No chromium on PATH: install it with 'apt-get install chromium'."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def env(database_url: str, redis_url: str) -> programs.Environment:
    """Settings for a program: this test's database, migrated, and its Redis."""
    env = programs.environment(database_url, redis_url)
    programs.migrate(env)
    return env


@pytest.fixture
def address(env: programs.Environment, tmp_path: Path) -> Iterator[str]:
    """Where the server of this test answers."""
    with programs.serving(env, tmp_path / "server.log") as port:
        yield f"http://127.0.0.1:{port}"
