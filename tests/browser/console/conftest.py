"""One server for all tests of a module; each test has a table and a tablet of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.console.stage import Console, Stage, opened, staged
from tests.integration.http.conftest import office as office
from tests.integration.office import Office


@pytest.fixture
def stage(office: Office, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A WSOP table, or that of the game a test gives."""
    with staged(office, tmp_path, getattr(request, "param", "wsop")) as stage:
        stage.sign_on()
        yield stage


@pytest.fixture
def console(chromium: Browser, stage: Stage) -> Iterator[Console]:
    with opened(chromium, stage) as console:
        yield console


@pytest.fixture
def training(office: Office, tmp_path: Path) -> Iterator[Stage]:
    with staged(office, tmp_path, training=True) as stage:
        yield stage
