"""The screens' real pages, with a stream that says what a test wants, when it wants.

The gateway never sends an older frame and never falls silent by itself; here a test has it do so.
"""

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Response, request
from werkzeug.serving import WSGIRequestHandler, make_server

from meter_server.contract.displays import Role, Roster, Screen, Seen
from meter_server.contract.frames import Floor
from signage.gateway.app import create_app
from signage.gateway.hub import Hub
from signage.gateway.screens import COOKIE, Screens, digest_of
from signage.gateway.views import Picture, View, event
from signage.settings import Settings

Json = dict[str, Any]
_END = b""


class Stage:
    """Every open page hears what is said; one that comes later first hears what was said last."""

    def __init__(self, folder: Path) -> None:
        self.address = ""
        self.screens = Screens(folder / "screens.json")
        self.reports: list[Seen] = []
        """What pages have told, as the gateway would take it."""
        self.streams_opened = 0
        self.speed = 1
        """How fast the pages' clocks run; the stage's own runs along."""
        self._listening: dict[queue.SimpleQueue[bytes], View] = {}
        self._last: tuple[Picture, int] | None = None
        self._lock = threading.Lock()
        self._is_cut = False

    def pair(self, code: str, **role: Any) -> None:
        """As a manager does who read the code from the screen."""
        self._token = next(one.token for one in self.screens.batch().asking if one.code == code)
        self.assign(**role)

    def assign(self, **role: Any) -> None:
        """Another role for the screen; without one it is a screen of the house no more."""
        screen = [Screen(screen="a", token=self._token, role=Role(**role))] if role else []
        self.screens.take(Roster(version=digest_of(repr(screen)), screens=screen))

    def say(self, floor: Json, *, whole: bool = True, age_ms: int = 0, delay_ms: int = 0) -> None:
        """Send a floor that was read ``age_ms`` before, over a way that took ``delay_ms``."""
        picture = Picture(Floor.model_validate(floor))
        with self._lock:
            self._last = picture, age_ms
            for heard, view in self._listening.items():
                heard.put(self._event(view, picture, whole, age_ms, delay_ms))

    def cut(self) -> None:
        """As if the gateway had died: nobody hears anything, and nobody can connect."""
        with self._lock:
            self._is_cut = True
            for heard in self._listening:
                heard.put(_END)

    def mend(self) -> None:
        self._is_cut = False

    def reported(self) -> Response:
        seen = Seen.model_validate_json(request.data)
        if not self.screens.report(request.cookies[COOKIE], seen):
            return Response(status=403)
        self.reports.append(seen)
        return Response(status=204)

    def stream(self) -> Response:
        if self._is_cut:
            return Response("Bad Gateway", 502)
        query, token = request.query_string.decode(), request.cookies.get(COOKIE)
        own = token if token and not query else None
        view = View.asked_for(query) if own is None else self.screens.view(own)
        heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        if own is not None:
            self.screens.add(own, _Told(heard))
        with self._lock:
            self.streams_opened += 1
            if self._last is None:
                heard.put(event("waiting", {}))
            else:
                picture, age_ms = self._last
                heard.put(self._event(view, picture, True, age_ms, 0))
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

    def _event(
        self, view: View, picture: Picture, whole: bool, age_ms: int, delay_ms: int
    ) -> bytes:
        shown = view.of(picture)
        sent_ms = int(time.monotonic() * 1000 * self.speed) - delay_ms
        return (shown.whole if whole else shown.values)(age_ms, sent_ms)


class _Told:
    """Takes what the gateway says to one screen alone."""

    def __init__(self, heard: queue.SimpleQueue[bytes]) -> None:
        self.send = heard.put


class _Quiet(WSGIRequestHandler):
    def log(self, *_: object, **__: object) -> None:
        """Nobody reads it."""


@contextmanager
def staged(settings: Settings | None = None) -> Iterator[Stage]:
    with TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        app = create_app(Hub(), stage.screens, settings or Settings())
        app.add_url_rule("/v1/stream", "stream", stage.stream)
        app.add_url_rule("/v1/display", "display", stage.reported, methods=["POST"])
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
