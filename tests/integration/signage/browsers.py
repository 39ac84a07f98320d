"""A screen as the gateway knows it, which says it shows what a test wants it to show."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.integration.devices.floor import unique
from tests.integration.office import Office
from tests.integration.programs import get, wait_until
from tests.integration.signage.gateways import Event, Gateway


@dataclass
class Browser:
    """One screen: a cookie, and nothing else."""

    gateway: Gateway
    cookie: str

    @classmethod
    def opened(cls, gateway: Gateway) -> "Browser":
        page = get(gateway.port, "/")
        assert page.status == 200
        given = page.headers["Set-Cookie"]
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(given.split("; "))
        return cls(gateway, given.split(";")[0])

    @contextmanager
    def looking(self) -> Iterator[Iterator[Event]]:
        with self.gateway.stream("", Cookie=self.cookie) as events:
            yield events

    def report(self, body: Any) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=20)
        try:
            written = body if isinstance(body, str) else json.dumps(body)
            connection.request("POST", "/v1/display", written, {"Cookie": self.cookie})
            return connection.getresponse().status
        finally:
            connection.close()

    def shows(self, system: str, seq: int, *notices: str) -> None:
        meter = {"meter": system, "from_seq": seq, "to_seq": seq, "value_micros": 1}
        assert self.report({"meters": [meter], "notices": list(notices)}) == 204


def next_of(events: Iterator[Event], kind: str) -> dict[str, Any]:
    return next(event.said for event in events if event.kind == kind)


def paired(office: Office, browser: Browser, **role: Any) -> str:
    name = unique("screen")
    with browser.looking() as events:
        code = next_of(events, "screen")["code"]
        pair = {"screen": name, "code": code, "meters": [], "table": None, **role}
        manager = office.of_role("area-manager")
        wait_until(lambda: manager.post("/v1/screens", pair).status == 201, 10)
        assert next_of(events, "screen")["screen"] == name
    return name
