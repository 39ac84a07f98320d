"""Signing in and out, and one's own secrets."""

from http import HTTPStatus

from flask import Response, after_this_request, request
from pydantic import Field

from meter_server.access import accounts, permissions, sessions
from meter_server.access.permissions import Permission
from meter_server.access.sessions import SignedIn
from meter_server.http.api import limits
from meter_server.http.api.endpoints import Family
from meter_server.http.api.guards import Anybody, Guard
from meter_server.http.api.models import Instant, Name, Shown, Strict
from meter_server.http.api.parts import Parts
from meter_server.http.api.people import SIGNED_IN, Staff, cookie_name, origin
from meter_server.http.staff import AccountShown

family = Family("session", "Signing in and out, and one's own secrets")

Secret = str


def _guessing(parts: Parts) -> Anybody:
    parts.limits.spend(limits.SIGN_IN, request.remote_addr or "unknown")
    return Anybody(parts)


# Whoever has a secret to show: not so often that guessing keeps our processors busy.
GUESSING = Guard(_guessing, refuses=(HTTPStatus.UNAUTHORIZED,))


class Credentials(Strict):
    number: Name
    password: str = Field(min_length=1, max_length=128, json_schema_extra={"format": "password"})
    bearer: bool = Field(
        default=False, description="A program: it gets the token instead of a cookie."
    )


class SessionBegun(Shown):
    account: AccountShown
    csrf_token: str = Field(description="Send it as X-CSRF-Token with every change.")
    expires_at: Instant
    token: str | None = Field(description="For Authorization: Bearer, where it was asked for.")


class SessionShown(Shown):
    account: AccountShown
    permissions: list[Permission] = Field(description="What the person may do besides the rules.")
    csrf_token: str


class NewPassword(Strict):
    password: str = Field(min_length=1, max_length=128)
    new_password: str = Field(max_length=128)


class NewPin(Strict):
    password: str = Field(min_length=1, max_length=128)
    pin: str = Field(max_length=12)


class Acceptance(Strict):
    number: Name
    code: str = Field(min_length=1, max_length=40)
    password: str = Field(max_length=128)
    pin: str | None = Field(default=None, max_length=12)


@family.post("/v1/session", GUESSING, "Sign in.", status=HTTPStatus.CREATED)
def sign_in(caller: Anybody, body: Credentials) -> SessionBegun:
    signed_in = sessions.sign_in(caller.parts.desk, origin(), body.number, body.password)
    if not body.bearer:
        _give_cookie(caller.parts, signed_in)
    return SessionBegun(
        account=AccountShown.of(signed_in.account),
        csrf_token=signed_in.csrf_token,
        expires_at=signed_in.expires_at,
        token=signed_in.token if body.bearer else None,
    )


@family.get("/v1/session", SIGNED_IN, "Who is signed in, and what they may do.")
def show(caller: Staff) -> SessionShown:
    return SessionShown(
        account=AccountShown.of(caller.account),
        permissions=[one for one in Permission if permissions.may(caller.account, one)],
        csrf_token=sessions.csrf_token(caller.token),
    )


@family.delete("/v1/session", SIGNED_IN, "Sign out.")
def sign_out(caller: Staff) -> None:
    sessions.sign_out(caller.parts.desk, caller.origin, caller.token)


@family.post(
    "/v1/session/password", SIGNED_IN, "Choose another password; all sessions of yours end."
)
def change_password(caller: Staff, body: NewPassword) -> None:
    accounts.change_password(
        caller.parts.desk, caller.origin, caller.account, body.password, body.new_password
    )


@family.post("/v1/session/pin", SIGNED_IN, "Choose a PIN for consoles.")
def change_pin(caller: Staff, body: NewPin) -> None:
    accounts.change_pin(caller.parts.desk, caller.origin, caller.account, body.password, body.pin)


@family.post("/v1/invitations", GUESSING, "Accept an invitation by choosing a password.")
def accept_invitation(caller: Anybody, body: Acceptance) -> AccountShown:
    return AccountShown.of(
        accounts.accept_invitation(
            caller.parts.desk, origin(), body.number, body.code, body.password, body.pin
        )
    )


def _give_cookie(parts: Parts, signed_in: SignedIn) -> None:
    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            cookie_name(parts),
            signed_in.token,
            expires=signed_in.expires_at,
            secure=parts.secure_cookies,
            httponly=True,
            samesite="Strict",
        )
        return response
