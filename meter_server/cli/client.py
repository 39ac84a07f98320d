"""Talks to a server over HTTP as a person; whatever it refuses is one sentence."""

import json
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

from meter_server.cli.output import NotAvailable, Refusal

_SECONDS_MAX = 30
_PAGE = 200
_SESSION_OVER = "not-signed-in"


class Unauthorised(Refusal):
    """The server does not know the session, or no longer."""


class Api:
    """One person's requests, or those of nobody yet."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server = _require_safe(server.rstrip("/"))
        self._token = token

    def get(self, path: str, **query: str) -> Any:
        return self._ask("GET", path, query=query)

    def every(self, path: str, **query: str) -> list[Any]:
        """All pages of a list."""
        items: list[Any] = []
        while True:
            page = self.get(path, limit=str(_PAGE), **query)
            items += page["items"]
            if page["next"] is None:
                return items
            query["after"] = page["next"]

    def post(self, path: str, body: object = None) -> Any:
        return self._ask("POST", path, body)

    def command(self, path: str, body: object = None) -> Any:
        """Under a key of its own: it cannot be done twice on its way."""
        return self._ask("POST", path, body, {"Idempotency-Key": uuid4().hex})

    def delete(self, path: str) -> Any:
        return self._ask("DELETE", path)

    def _ask(
        self,
        method: str,
        path: str,
        body: object = None,
        more: dict[str, str] | None = None,
        query: dict[str, str] | None = None,
    ) -> Any:
        headers = dict(more or {})
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        # What somebody typed is one piece of the path, whatever letters it has.
        address = self.server + quote(path, safe="/+") + (f"?{urlencode(query)}" if query else "")
        request = Request(address, data, headers, method=method)  # noqa: S310 - checked
        try:
            with urlopen(request, timeout=_SECONDS_MAX) as response:  # noqa: S310 - checked
                text = response.read()
        except HTTPError as error:
            with error:
                raise _refused(error) from None
        except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
            reason = getattr(error, "reason", error)
            raise NotAvailable(
                f"The server at {self.server} does not answer ({reason}): start it with "
                "'meter-server serve', or name another one with --server."
            ) from None
        return json.loads(text) if text else None


def _refused(error: HTTPError) -> Refusal:
    try:
        problem = json.loads(error.read())
        sentence = problem["detail"]
    except (ValueError, KeyError):
        return Refusal(f"The server answered {error.code}: is it Prize Meter's?")
    # A wrong password at a determination, say, is no end of the session.
    is_over = problem.get("kind") == _SESSION_OVER
    return (Unauthorised if is_over else Refusal)(sentence)


def _require_safe(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts.hostname or "")):
        return server
    raise Refusal(
        f"'{server}' would carry passwords in the open: use an https:// address, or http:// for "
        "a server on this machine."
    )


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
