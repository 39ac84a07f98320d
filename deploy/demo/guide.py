"""The newcomer's page: what there is to see and to do here, and how to log in.

Shown to browsers on this machine and nobody else. It is written once, when the house starts, and
served by the few lines at the end, which must be up at once.
"""

import html
import sys
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template

PAGE = Path(__file__).with_name("guide.html")
LOOK = Path(__file__).parents[2] / "meter_server" / "contract" / "look"
_HOSTS = ("127.0.0.1", "localhost")
_LOOK_FILES = {"/look/tokens.css": "text/css", "/look/icon.svg": "image/svg+xml"}


def written(facts: dict[str, str], people: list[tuple[str, str, str, str]]) -> str:
    """The page with these facts; people are number, name, role, and what they are for."""
    rows = "\n".join(_row(*one) for one in people)
    safe = {name: html.escape(value) for name, value in facts.items()}
    return Template(PAGE.read_text(encoding="utf-8")).substitute(safe, people=rows)


def _row(number: str, name: str, role: str, purpose: str) -> str:
    cells = (f"<td>{html.escape(one)}</td>" for one in (name, role, purpose))
    return f"<tr><th scope=row><code>{html.escape(number)}</code></th>{''.join(cells)}</tr>"


def _pages(file: Path) -> Iterator[tuple[str, tuple[str, Path]]]:
    yield "/", ("text/html; charset=utf-8", file)
    for path, kind in _LOOK_FILES.items():
        yield path, (kind, LOOK / Path(path).name)


def serve(file: Path, port: int) -> None:
    pages = dict(_pages(file))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers.get("Host", "").rpartition(":")[0]
            if host not in _HOSTS or self.path not in pages:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            kind, source = pages[self.path]
            body = source.read_bytes()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
            self.send_header("X-Frame-Options", "DENY")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody asks who looked at a page that says nothing of money."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
