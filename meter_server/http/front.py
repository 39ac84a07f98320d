"""The way into a server process: ordinary reports go straight, everything else through Flask."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from granian._granian import RSGIHTTPProtocol as HTTPProtocol
from granian.rsgi import Scope

from meter_server.http import forwarded, headers, requests
from meter_server.http.api.bodies import BYTES_MAX
from meter_server.http.straight import Asked, Straight, Told

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]

_NO_BODY = frozenset({204, 304})


class Front:
    """An RSGI application, as granian calls it."""

    def __init__(
        self,
        application: Application,
        straight: Straight | None,
        *,
        threads: int,
        proxies: Sequence[forwarded.Network] = (),
    ) -> None:
        self._application = application
        self._straight = straight
        self._proxies = proxies
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        given = _joined(scope.headers.items())
        body = await _body(given, protocol)
        told = None
        if self._straight is not None:
            address = forwarded.caller(
                _host(scope.client), given.get("x-forwarded-for", ""), self._proxies
            )
            asked = Asked(scope.method, scope.path, scope.query_string, given, body, address)
            told = await self._straight.answer(asked)
        if told is None:
            await self._through_flask(_environ(scope, given, body), protocol)
        else:
            await _say(told, protocol)

    async def _through_flask(self, environ: dict[str, Any], protocol: HTTPProtocol) -> None:
        loop = asyncio.get_running_loop()
        status, said, body = await loop.run_in_executor(self._threads, self._call, environ)
        if isinstance(body, bytes):
            protocol.response_bytes(status, said, body)
            return
        stream = protocol.response_stream(status, said)
        try:
            while (part := await loop.run_in_executor(self._threads, next, body, None)) is not None:
                await stream.send_bytes(part)
        finally:
            _close(body)

    def _call(self, environ: dict[str, Any]) -> tuple[int, Headers, bytes | Iterator[bytes]]:
        started: list[Any] = []

        def start(status: str, said: Headers, _failure: Any = None) -> None:
            started[:] = int(status[:3]), said

        parts = self._application(environ, start)
        status, said = started
        if status not in _NO_BODY and all(name.lower() != "content-length" for name, _ in said):
            return status, said, iter(parts)
        try:
            return status, said, b"".join(parts)
        finally:
            _close(parts)


def _close(parts: Iterable[bytes]) -> None:
    """As PEP 3333 wants it, where there is anything to close."""
    getattr(parts, "close", lambda: None)()


async def _say(told: Told, protocol: HTTPProtocol) -> None:
    said = [
        ("Content-Type", "application/json"),
        (requests.ID_HEADER, told.request_id),
        *headers.HEADERS,
    ]
    if isinstance(told.body, str):
        protocol.response_bytes(200, said, told.body.encode())
        return
    stream = protocol.response_stream(200, said)
    for part in told.body:
        await stream.send_str(part)


def _joined(given: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each header once. A name with an underscore could pass for another one later: left out."""
    found: dict[str, str] = {}
    for name, value in given:
        if "_" not in name:
            between = "; " if name == "cookie" else ","
            found[name] = f"{found[name]}{between}{value}" if name in found else value
    return found


async def _body(given: dict[str, str], protocol: HTTPProtocol) -> bytes:
    """Not more than is ever looked at; what says that it is larger is not read."""
    length = given.get("content-length", "")
    if length.isdecimal():
        return b"" if int(length) > BYTES_MAX else await protocol()
    read = bytearray()
    async for part in protocol:
        read += part
        if len(read) > BYTES_MAX:
            break
    return bytes(read)


def _environ(scope: Scope, given: dict[str, str], body: bytes) -> dict[str, Any]:
    """As PEP 3333 wants it; a body that came in pieces is whole by now, and has its length."""
    environ: dict[str, Any] = {
        "CONTENT_LENGTH": str(len(body)),
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": _host(scope.server),
        "SERVER_PORT": scope.server.rpartition(":")[2],
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": _host(scope.client),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in given.items():
        if name in ("content-type", "content-length"):
            environ[name.upper().replace("-", "_")] = value
        elif name != "transfer-encoding":
            environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
    return environ


def _host(address: str) -> str:
    """Of ``192.0.2.1:80`` or ``[2001:db8::1]:80``."""
    return address.rpartition(":")[0].strip("[]")
