"""The screens' real pages, with a stream that says what a test wants, when it wants.

The gateway never sends an older frame and never falls silent by itself; here a test has it do so.
"""

import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Response, request
from werkzeug.serving import WSGIRequestHandler, make_server

from signage.gateway.app import create_app
from signage.gateway.hub import Hub
from signage.gateway.screens import Screens
from signage.gateway.views import View, event
from signage.settings import Settings

Json = dict[str, Any]
_END = b""


class Stage:
    """Every open page hears what is said; one that comes later first hears what was said last."""

    def __init__(self) -> None:
        self.address = ""
        self.streams_opened = 0
        self.speed = 1
        """How fast the pages' clocks run; the stage's own runs along."""
        self._listening: dict[queue.SimpleQueue[bytes], View] = {}
        self._last: Json | None = None
        self._lock = threading.Lock()
        self._is_cut = False

    def say(self, floor: Json, *, whole: bool = True, age_ms: int = 0, delay_ms: int = 0) -> None:
        """Send a floor that was read ``age_ms`` before, over a way that took ``delay_ms``."""
        with self._lock:
            self._last = floor
            for heard, view in self._listening.items():
                heard.put(self._event(view, floor, whole, age_ms, delay_ms))

    def cut(self) -> None:
        """As if the gateway had died: nobody hears anything, and nobody can connect."""
        with self._lock:
            self._is_cut = True
            for heard in self._listening:
                heard.put(_END)

    def mend(self) -> None:
        self._is_cut = False

    def stream(self) -> Response:
        if self._is_cut:
            return Response("Bad Gateway", 502)
        view = View.asked_for(request.query_string.decode())
        heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with self._lock:
            self.streams_opened += 1
            first = self._last and self._event(view, self._last, True, 0, 0)
            heard.put(first or event("waiting", {}))
            self._listening[heard] = view
        return Response(self._said(heard), content_type="text/event-stream")

    def _said(self, heard: queue.SimpleQueue[bytes]) -> Iterator[bytes]:
        try:
            yield b"retry: 1000\n\n"
            while (said := heard.get()) != _END:
                yield said
        finally:
            with self._lock:
                self._listening.pop(heard, None)

    def _event(self, view: View, floor: Json, whole: bool, age_ms: int, delay_ms: int) -> bytes:
        shown = view.of(floor)
        sent_ms = int(time.monotonic() * 1000 * self.speed) - delay_ms
        return (shown.whole if whole else shown.values)(age_ms, sent_ms)


class _Quiet(WSGIRequestHandler):
    def log(self, *_: object, **__: object) -> None:
        """Nobody reads it."""


@contextmanager
def staged(settings: Settings | None = None) -> Iterator[Stage]:
    stage = Stage()
    app = create_app(Hub(), Screens(Path(os.devnull)), settings or Settings())
    app.add_url_rule("/v1/stream", "stream", stage.stream)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stage.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stage
    finally:
        stage.cut()
        server.shutdown()
        thread.join()
        server.server_close()
