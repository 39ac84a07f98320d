"""The newcomer's page: whole, escaped, and for browsers on this machine only."""

import http.client
import re
import threading
from pathlib import Path

import pytest

from deploy.demo import guide, welcome
from deploy.demo.addresses import CONSOLE_PORT, Addresses, port
from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder
from deploy.demo.people import FIRST, OTHERS
from tests.integration.programs import free_port, get, wait_until

PLACES = Addresses(
    "http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3", free_port(), free_port()
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return welcome.write_guide(DataFolder(tmp_path, None), PLACES)


def test_it_names_every_stop_and_everybody(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    assert re.findall(r"<h2>(\d)\.", text) == ["1", "2", "3", "4", "5", "6", "7"]
    for one in (*FIRST, *OTHERS):
        assert f"<code>{one.number}</code>" in text
        assert one.purpose in text
    assert (tmp_path / "people.password").read_text() in text
    assert PLACES.console in text
    assert "$signs" not in text


def test_nobody_else_can_read_the_file(page: Path) -> None:
    assert page.stat().st_mode & 0o077 == 0


def test_what_is_written_in_is_escaped() -> None:
    facts = dict.fromkeys(re.findall(r"\$([a-z]+)", guide.PAGE.read_text()), "<b>")
    facts.pop("people")
    text = guide.written(facts, [("1", "<i>", "dealer", "&")])
    assert "<b>" not in text
    assert "<td>&lt;i&gt;</td><td>dealer</td><td>&amp;</td>" in text


def test_it_is_served_under_this_machines_name_only(page: Path) -> None:
    threading.Thread(target=guide.serve, args=[page, PLACES.guide_port], daemon=True).start()
    wait_until(lambda: get(PLACES.guide_port, "/").status == 200, 20)
    assert get(PLACES.guide_port, "/look/tokens.css").status == 200
    assert get(PLACES.guide_port, "/people.password").status == 404
    connection = http.client.HTTPConnection("127.0.0.1", PLACES.guide_port, timeout=20)
    connection.request("GET", "/", headers={"Host": "evil.example:80"})
    assert connection.getresponse().status == 404
    connection.close()


def test_a_port_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert port(CONSOLE_PORT, 8472) == 8472
    monkeypatch.setenv(CONSOLE_PORT, "seventy")
    with pytest.raises(CannotRunError, match="PRIZE_METER_CONSOLE_PORT is 'seventy': name a port"):
        port(CONSOLE_PORT, 8472)
