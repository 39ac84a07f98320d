"""The gateway's one port: streams for screens here, everything else by Flask.

A stream is a plain socket of the event loop: the two thousand bytes that one costs, and one write
for a frame, are why thousands of screens fit (docs/decisions/0025-streams-on-bare-asyncio.md).
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException, parse_headers
from io import BytesIO
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any, cast
from urllib.parse import unquote

from flask import Flask
from pydantic import ValidationError
from werkzeug.test import create_environ
from werkzeug.wrappers import Response

from meter_server.contract.displays import Seen
from signage.gateway.hub import STALE_SECONDS, Hub
from signage.gateway.screens import COOKIE, Screens
from signage.gateway.views import View

STREAM = "/v1/stream"
DISPLAY = "/v1/display"
HEAD_BYTES_MAX = 16_384
BODY_BYTES_MAX = 65_536
REQUEST_SECONDS_MAX = 10.0
STUCK_SECONDS_MAX = 30.0
"""A screen that takes nothing for so long is gone; its page connects again when it is back."""
UNSENT_BYTES_MAX = 16_384
"""Held for a slow screen; beyond that frames are passed over."""

_STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\nX-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\n"
    b"Connection: close\r\n\r\nretry: 1000\n\n"
)


class Refused(Exception):  # noqa: N818 - an answer
    """A request that is none."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Connection(asyncio.Protocol):
    """One request: it becomes a screen's stream, or is answered and closed."""

    __slots__ = (
        "_answer",
        "_behind",
        "_buffer",
        "_deadline",
        "_hub",
        "_screens",
        "_stuck_at",
        "_token",
        "_transport",
        "view",
    )

    def __init__(self, hub: Hub, screens: Screens, answer: Callable[["Request"], Any]) -> None:
        self.view = View()
        self._hub = hub
        self._screens = screens
        self._token: str | None = None
        self._answer = answer
        self._buffer: bytearray | None = bytearray()
        self._stuck_at: float | None = None
        self._behind = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        loop = asyncio.get_running_loop()
        self._deadline: asyncio.TimerHandle | None = loop.call_later(
            REQUEST_SECONDS_MAX, self._transport.abort
        )

    def data_received(self, data: bytes) -> None:
        if self._buffer is None:  # a screen has nothing more to say
            return
        self._buffer += data
        try:
            request = read_request(self._buffer)
        except Refused as refused:
            self._buffer = None
            self._close_with(written(Response(str(refused), refused.status)))
            return
        if request is not None:
            self._buffer = None
            self._begin(request)

    def connection_lost(self, _error: Exception | None) -> None:
        self._cancel_deadline()
        self._hub.remove(self)
        if self._token is not None:
            self._screens.remove(self._token, self)

    def pause_writing(self) -> None:
        self._stuck_at = time.monotonic()
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(STUCK_SECONDS_MAX, self._transport.abort)

    def resume_writing(self) -> None:
        self._stuck_at = None
        self._cancel_deadline()
        if self._behind:
            self._behind = False
            self._hub.catch_up(self)

    @property
    def is_stuck(self) -> bool:
        return self._stuck_at is not None and time.monotonic() - self._stuck_at > STALE_SECONDS

    def send(self, event: bytes) -> None:
        if self._stuck_at is None:
            self._transport.write(event)
        else:
            self._behind = True

    def _begin(self, request: "Request") -> None:
        self._cancel_deadline()
        if request.path == STREAM and request.method == "GET":
            self._stream(request)
        elif request.path == DISPLAY and request.method == "POST":
            self._close_with(written(Response(status=self._reported(request))))
        else:
            task = asyncio.ensure_future(self._answer(request))
            task.add_done_callback(lambda done: self._close_with(done.result()))

    def _stream(self, request: "Request") -> None:
        token = request.cookie(COOKIE)
        if request.query or token is None:
            self.view = View.asked_for(request.query)
        else:
            self.view = self._screens.view(token)
            self._token = token
        # What the kernel holds for a slow screen is old when it arrives: let it hold little.
        self._transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, UNSENT_BYTES_MAX)
        self._transport.set_write_buffer_limits(high=UNSENT_BYTES_MAX)
        self._transport.write(_STREAM_HEAD)
        if self._token is not None:
            self._screens.add(self._token, self)
        self._hub.add(self, request.headers.get("Last-Event-ID"))

    def _reported(self, request: "Request") -> HTTPStatus:
        """What a page has painted: here and not in a thread, because every screen tells."""
        token = request.cookie(COOKIE)
        try:
            seen = Seen.model_validate_json(request.body)
        except ValidationError:
            return HTTPStatus.UNPROCESSABLE_ENTITY
        if token is None or not self._screens.report(token, seen):
            return HTTPStatus.FORBIDDEN
        return HTTPStatus.NO_CONTENT

    def _close_with(self, answer: bytes) -> None:
        self._cancel_deadline()
        self._transport.write(answer)
        self._transport.close()

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Request:
    __slots__ = ("body", "headers", "method", "path", "query")

    def __init__(self, method: str, target: str, headers: Message, body: bytes) -> None:
        path, _, self.query = target.partition("?")
        self.method = method
        self.path = unquote(path)
        self.headers = headers
        self.body = body

    def cookie(self, name: str) -> str | None:
        for pair in self.headers.get("Cookie", "").split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name and value:
                return value
        return None


def read_request(received: bytearray) -> Request | None:
    """None while it is not all there."""
    head, end, body = bytes(received).partition(b"\r\n\r\n")
    if len(head) > HEAD_BYTES_MAX:
        raise Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    if not end:
        return None
    line, _, rest = head.partition(b"\r\n")
    try:
        method, target, version = line.decode("ascii").split(" ")
        headers = parse_headers(BytesIO(rest + b"\r\n\r\n"))
        length = int(headers.get("Content-Length", "0"))
    except (ValueError, HTTPException):
        raise Refused(HTTPStatus.BAD_REQUEST) from None
    if not version.startswith("HTTP/1.") or not target.startswith("/") or length < 0:
        raise Refused(HTTPStatus.BAD_REQUEST)
    if "Transfer-Encoding" in headers:
        raise Refused(HTTPStatus.LENGTH_REQUIRED)
    if length > BODY_BYTES_MAX:
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return Request(method, target, headers, body[:length]) if len(body) >= length else None


def answering(app: Flask, threads: Executor) -> Callable[[Request], Any]:
    """Ask Flask in a thread, so that a page never holds up the streams."""

    def ask(request: Request) -> bytes:
        environ = create_environ(
            path=request.path,
            query_string=request.query,
            method=request.method,
            headers=list(request.headers.items()),
            data=request.body,
        )
        return written(Response.from_app(app, environ, buffered=True), request.method)

    async def answer(request: Request) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(threads, ask, request)

    return answer


def written(response: Response, method: str = "GET") -> bytes:
    body = response.get_data()
    response.headers["Content-Length"] = str(len(body))
    response.headers["Connection"] = "close"
    lines = [f"HTTP/1.1 {response.status}", *(f"{k}: {v}" for k, v in response.headers), "", ""]
    return "\r\n".join(lines).encode("latin-1") + (b"" if method == "HEAD" else body)
