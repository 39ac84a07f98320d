"""Whom a request is from, behind proxies and whatever its sender would like to be."""

from typing import Any

import pytest

from meter_server.http.forwarded import behind, networks

PROXIES = "10.0.0.5, 10.1.0.0/16, fd00::/8"


@pytest.mark.parametrize(
    ("seen", "told", "caller"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        # Nobody but a named proxy is believed.
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.5", "198.51.100.1", "198.51.100.1"),
        # What the caller wrote stands to the left of what the proxy added.
        ("10.0.0.5", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
        # Two proxies, one behind the other.
        ("10.0.0.5", "192.0.2.66, 198.51.100.1, 10.1.7.7", "198.51.100.1"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        # A proxy that says nothing, or nothing that can be read, is the caller itself.
        ("10.0.0.5", "", "10.0.0.5"),
        ("10.0.0.5", "unknown", "10.0.0.5"),
        ("10.0.0.5", "198.51.100.1, unknown", "10.0.0.5"),
        ("10.0.0.5", "10.1.0.1, 10.1.0.2", "10.1.0.1"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_caller(seen: str, told: str, caller: str) -> None:
    heard: dict[str, Any] = {}

    def application(environ: dict[str, Any], _start: Any) -> list[bytes]:
        heard.update(environ)
        return []

    environ = {"REMOTE_ADDR": seen, "HTTP_X_FORWARDED_FOR": told}
    behind(application, networks(PROXIES))(environ, None)
    assert heard["REMOTE_ADDR"] == caller


def test_without_named_proxies_nobody_is_believed() -> None:
    heard: dict[str, Any] = {}
    environ = {"REMOTE_ADDR": "10.0.0.5", "HTTP_X_FORWARDED_FOR": "198.51.100.1"}
    behind(lambda environ, _start: heard.update(environ) or [], networks(""))(environ, None)
    assert heard["REMOTE_ADDR"] == "10.0.0.5"
