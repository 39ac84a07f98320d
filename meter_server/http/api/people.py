"""People who are signed in: by cookie in a browser, by bearer token in a program."""

from dataclasses import dataclass
from http import HTTPStatus

from flask import g, request

from meter_server.access import permissions, sessions
from meter_server.access.audit import Deed, Origin, Source
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.writing import NAME
from meter_server.http.api import limits
from meter_server.http.api.guards import Guard
from meter_server.http.api.parts import Parts
from meter_server.http.problems import Problem
from meter_server.storage.staff import Account

CSRF_HEADER = "X-CSRF-Token"
IDEMPOTENCY_HEADER = "Idempotency-Key"
SECURITY = {
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-prize-meter",
        "description": f"Set by signing in. Changes also send {CSRF_HEADER}.",
    },
    "bearer": {"type": "http", "scheme": "bearer"},
}

_BEARER = "Bearer "
_ASKING = ("GET", "HEAD")
_REFUSES = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


@dataclass(frozen=True)
class Staff:
    """A person who is signed in."""

    parts: Parts
    account: Account
    token: str
    origin: Origin


@dataclass(frozen=True)
class Commander(Staff):
    """A person who asks for something that is done once, however often the request arrives."""

    idempotency_key: str


def cookie_name(parts: Parts) -> str:
    """Browsers let nobody but this very host set a cookie named ``__Host-``, and over TLS only."""
    return "__Host-prize-meter" if parts.secure_cookies else "prize-meter"


def origin() -> Origin:
    return Origin(Source.OFFICE, request.remote_addr or "unknown", g.request_id)


def _signed_in(parts: Parts) -> Staff:
    token = _token(parts)
    session = sessions.find(parts.desk, token)
    parts.limits.spend(limits.ACCOUNT, session.account.number)
    return Staff(parts, session.account, token, origin())


def _token(parts: Parts) -> str:
    given = request.headers.get("Authorization")
    if given is not None:
        if not given.startswith(_BEARER):
            raise _not_signed_in()
        return given.removeprefix(_BEARER)
    token = request.cookies.get(cookie_name(parts))
    if token is None:
        raise _not_signed_in()
    shown = request.headers.get(CSRF_HEADER, "")
    if request.method not in _ASKING and not sessions.csrf_matches(token, shown):
        raise Problem(
            HTTPStatus.FORBIDDEN,
            f"The header {CSRF_HEADER} is not this session's: send the csrf_token of signing in.",
        )
    return token


def _not_signed_in() -> Denied:
    return Denied(Kind.NOT_SIGNED_IN, "You are not signed in.", remedy="Sign in.")


def _commanding(parts: Parts) -> Commander:
    staff = _signed_in(parts)
    key = request.headers.get(IDEMPOTENCY_HEADER, "")
    if not NAME.fullmatch(key):
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            f"Send the header {IDEMPOTENCY_HEADER}: up to 40 letters, digits, dots or dashes, "
            "another one for each thing you want done.",
        )
    return Commander(staff.parts, staff.account, staff.token, staff.origin, key)


def permitted(permission: Permission) -> Guard[Staff]:
    """A person who may do this; for what has no use case that asks it by itself."""

    def admit(parts: Parts) -> Staff:
        staff = _signed_in(parts)
        try:
            permissions.require(staff.account, permission)
        except Denied as denied:
            what = f"permission:{permission}"
            person = staff.account.number
            Deed(parts.desk, staff.origin, what, person).refused(denied.refusal.sentence)
            raise
        return staff

    return Guard(admit, tuple(SECURITY), refuses=_REFUSES)


SIGNED_IN = Guard(_signed_in, tuple(SECURITY), refuses=_REFUSES)
COMMANDING = Guard(
    _commanding,
    tuple(SECURITY),
    headers={IDEMPOTENCY_HEADER: {"type": "string", "pattern": f"^{NAME.pattern}$"}},
    refuses=(HTTPStatus.BAD_REQUEST, *_REFUSES),
)
