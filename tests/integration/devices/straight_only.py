"""A server on which only the straight way leads anywhere; any other request is told 418."""

from collections.abc import Callable, Iterable
from typing import Any

from meter_server import bootstrap
from meter_server.cli.serve import run
from meter_server.http.front import Front
from meter_server.http.straight import Straight


def nowhere(_environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    start("418 I'm a teapot", [("Content-Length", "0")])
    return []


def application() -> Front:
    loaded = bootstrap.start()
    opened = bootstrap.database(loaded)
    opened.open()
    return Front(nowhere, Straight(bootstrap.web_parts(loaded, opened)))


if __name__ == "__main__":
    run("tests.integration.devices.straight_only:application")
