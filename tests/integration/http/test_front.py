"""The way into a server process, over a real socket: what a request says arrives as it was said."""

import json
import socket
from http.client import HTTPResponse
from pathlib import Path

from meter_server.http.api.bodies import BYTES_MAX
from tests.integration.programs import Environment, serving

IN_PIECES = "Transfer-Encoding: chunked"


def _answer(port: int, *parts: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    """What is answered to just these bytes."""
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        for part in parts:
            connection.sendall(part.encode())
        answer = HTTPResponse(connection, method=method)
        answer.begin()
        return answer, answer.read()


def _asked(port: int, path: str, *headers: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    lines = (f"{method} {path} HTTP/1.1", "Host: here", *headers, "", "")
    return _answer(port, "\r\n".join(lines), method=method)


def _posted(port: int, *parts: str, framing: str) -> tuple[int, str]:
    """The status and the sentence, to a body that is framed so."""
    lines = ("POST /v1/session HTTP/1.1", "Host: here", "Content-Type: application/json", framing)
    answer, body = _answer(port, "\r\n".join((*lines, "", "")), *parts)
    return answer.status, str(json.loads(body)["detail"])


def _piece(text: str) -> str:
    return f"{len(text):x}\r\n{text}\r\n"


def test_what_a_request_says_arrives_as_it_was_said(env: Environment, log: Path) -> None:
    with serving(env, log) as port:
        _, missing = _asked(port, "/caf%C3%A9%20bar")
        no_text, _ = _asked(port, "/%FF")
        odd_query, _ = _asked(port, "/healthz/live?x=€")
        no_socket, _ = _asked(port, "/nothing", "Connection: Upgrade", "Upgrade: websocket")
        underscored, _ = _asked(port, "/healthz/live", "X_Request_ID: mine")
        head, of_head = _asked(port, "/healthz/live", method="HEAD")
        whole, of_whole = _asked(port, "/healthz/live")

    assert json.loads(missing)["detail"] == "There is nothing at /café bar."
    assert no_text.status in (400, 404)
    assert (odd_query.status, no_socket.status) == (200, 404)
    # It could pass for the header with dashes, which a proxy has looked at.
    assert underscored.headers["X-Request-ID"] != "mine"
    assert (head.status, of_head) == (200, b"")
    assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(len(of_whole))


def test_a_body_is_read_no_further_than_it_may_be_long(env: Environment, log: Path) -> None:
    with serving(env, log) as port:
        announced = _posted(port, framing=f"Content-Length: {BYTES_MAX + 1}")
        endless = _posted(port, _piece(" " * BYTES_MAX), _piece(" "), framing=IN_PIECES)
        pieces = _piece('{"'), _piece('a":'), _piece("1}") + "0\r\n\r\n"
        put_together = _posted(port, *pieces, framing=IN_PIECES)
        empty = _posted(port, framing="Content-Length: 0")
        with socket.create_connection(("127.0.0.1", port), 30) as gone:
            gone.sendall(b"POST /v1/session HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n{")
        alive, _ = _asked(port, "/healthz/live")

    assert (announced[0], endless[0]) == (413, 413), endless
    assert put_together[0] == 422
    assert "'a' is not a field here: leave it out." in put_together[1]
    assert (empty[0], empty[1][:20]) == (400, "The body is not JSON")
    assert alive.status == 200
    assert "Traceback" not in log.read_text()
