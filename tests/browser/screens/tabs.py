"""A Chromium of its own with real tabs: a page that a test tool drives never counts as hidden."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import FLAGS
from tests.integration.programs import free_port, get, wait_until


class Tabs:
    def __init__(self, port: int) -> None:
        self._port = port

    @property
    def pages(self) -> list[dict[str, Any]]:
        return [tab for tab in get(self._port, "/json/list").json() if tab["type"] == "page"]

    def cover(self) -> None:
        """Open a tab before the one that is there."""
        get(self._port, "/json/new?about:blank", "PUT")

    def uncover(self) -> None:
        first = next(tab for tab in self.pages if tab["url"] != "about:blank")
        get(self._port, f"/json/activate/{first['id']}")

    def are_there(self) -> bool:
        try:
            return len(self.pages) > 0
        except OSError:
            return False


@contextmanager
def browsing(address: str, folder: Path) -> Iterator[Tabs]:
    program, port = shutil.which("chromium"), free_port()
    assert program
    own = ["--headless=new", f"--user-data-dir={folder}", f"--remote-debugging-port={port}"]
    process = subprocess.Popen(
        [program, *FLAGS, *own, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        tabs = Tabs(port)
        wait_until(tabs.are_there, 30)
        yield tabs
    finally:
        process.terminate()
        process.wait(20)
