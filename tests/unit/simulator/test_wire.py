"""The network can be cut at the socket, in three ways, and mends itself."""

import http.server
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest

from deploy.simulator.wire import Fate, Wire

HEARD: list[tuple[str, str]] = []


class _Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) == int(self.headers["Content-Length"]):
            HEARD.append((self.client_address[0], body.decode()))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def wire() -> Iterator[Wire]:
    HEARD.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        made = Wire(("127.0.0.1", server.server_port), "127.0.1.77")
        yield made
        made.close()
        server.shutdown()
        thread.join()


def test_it_passes_under_an_address_of_its_own(wire: Wire) -> None:
    assert _post(wire, "wager") == b"ok"
    assert HEARD == [("127.0.1.77", "wager")]


@pytest.mark.parametrize(
    ("fate", "heard"), [(Fate.NOBODY_ANSWERS, 0), (Fate.REQUEST_LOST, 0), (Fate.ANSWER_LOST, 1)]
)
def test_a_cut_loses_what_it_says_and_the_next_passes(wire: Wire, fate: Fate, heard: int) -> None:
    wire.cut(fate)
    with pytest.raises((OSError, HTTPException)):
        _post(wire, "wager")
    assert len(HEARD) == heard
    assert _post(wire, "wager") == b"ok"
    assert wire.cuts == {fate: 1}


def _post(wire: Wire, body: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", urlsplit(wire.url).port, timeout=10)
    try:
        connection.request("POST", "/", body.encode())
        return connection.getresponse().read()
    finally:
        connection.close()
