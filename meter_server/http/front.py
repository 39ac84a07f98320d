"""The way into a server process: ordinary reports go straight, everything else through Flask."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import Any

from granian._granian import RSGIHTTPProtocol as HTTPProtocol
from granian._granian import RSGIProtocolClosed as ProtocolClosed
from granian.rsgi import Scope

from meter_server.http import forwarded, headers, requests
from meter_server.http.api.bodies import BYTES_MAX
from meter_server.http.left import KEY, Left
from meter_server.http.straight import Asked, Straight, Told
from meter_server.recording.writer import WAITING_MAX

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]

_THREADS = 3 * WAITING_MAX
"""More than a batch that is being kept and those who wait for the next one: otherwise nobody is
left to say that too many do, or to answer a probe. They start as they are needed."""
_NO_BODY = frozenset({204, 304})


class Front:
    """An RSGI application, as granian calls it."""

    def __init__(
        self,
        application: Application,
        straight: Straight | None,
        proxies: Sequence[forwarded.Network] = (),
    ) -> None:
        self._application = application
        self._straight = straight
        self._proxies = proxies
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="request")

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        given = _joined(scope.headers.items())
        try:
            body = await _body(given, protocol)
        except ProtocolClosed:
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [])  # to nobody, or to half a one
            return
        told = await self._straight_answer(scope, given, body)
        if isinstance(told, Told):
            await _say(told, protocol)
        else:
            await self._through_flask({**_environ(scope, given, body), KEY: told}, protocol)

    async def _straight_answer(
        self, scope: Scope, given: dict[str, str], body: bytes
    ) -> Told | Left | None:
        if self._straight is None:
            return None
        told = given.get("x-forwarded-for", "")
        address = forwarded.caller(_host(scope.client), told, self._proxies)
        query = _latin(scope.query_string)
        return await self._straight.answer(
            Asked(scope.method, scope.path, query, given, body, address)
        )

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
        "PATH_INFO": _latin(scope.path),
        "QUERY_STRING": _latin(scope.query_string),
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


def _latin(text: str) -> str:
    """Bytes as PEP 3333 writes them."""
    return text.encode().decode("latin-1")


def _host(address: str) -> str:
    """Of ``192.0.2.1:80`` or ``[2001:db8::1]:80``."""
    return address.rpartition(":")[0].strip("[]")
