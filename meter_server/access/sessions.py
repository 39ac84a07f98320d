"""Signing in to the back office: the person keeps a random token, we keep its digest."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from meter_server.access import attempts, audit
from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.hashing import digest, new_token
from meter_server.access.refusals import Denied, Kind
from meter_server.storage import sessions
from meter_server.storage.sessions import Session
from meter_server.storage.staff import Account

# Being seen is written down this often: not with every request.
_SEEN_EVERY = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class SignedIn:
    account: Account
    token: str
    """For the cookie, or ``Authorization: Bearer``; shown once."""
    csrf_token: str
    expires_at: datetime


def sign_in(desk: Desk, origin: Origin, number: str, password: str) -> SignedIn:
    with audit.watched(desk, origin, "session:sign-in") as deed:
        account = attempts.prove_password(deed, number, password)
        deed.subject = account.number
        now, token = desk.now(), new_token()
        expires_at = now + desk.session_max
        with desk.database.transaction() as connection:
            sessions.end_dead(connection, now, now - desk.session_idle)
            sessions.begin(
                connection, digest(token), account.number, origin.address, now, expires_at
            )
            deed.done(connection)
    return SignedIn(account, token, csrf_token(token), expires_at)


def find(desk: Desk, token: str) -> Session:
    """Whose session it is, with the person as they are now; to be asked with every request."""
    now = desk.now()
    with desk.database.connection() as connection:
        session = sessions.find(connection, digest(token), now, now - desk.session_idle)
        if session is None:
            raise Denied(
                Kind.NOT_SIGNED_IN, "You are not signed in, or no longer.", remedy="Sign in."
            )
        if now - session.seen_at >= _SEEN_EVERY:
            sessions.see(connection, digest(token), now)
    return session


def sign_out(desk: Desk, origin: Origin, token: str) -> None:
    """Signing out twice is no error."""
    with (
        audit.watched(desk, origin, "session:sign-out") as deed,
        desk.database.transaction() as connection,
    ):
        deed.person = deed.subject = sessions.end(connection, digest(token))
        deed.done(connection)


def reauthenticate(
    desk: Desk, origin: Origin, account: Account, *, password: str | None, pin: str | None
) -> None:
    """Once more one of the person's own secrets, before what cannot be undone."""
    with audit.watched(
        desk, origin, "session:reauthenticate", person=account.number, subject=account.number
    ) as deed:
        if pin is not None:
            attempts.prove_pin(deed, account.number, pin)
        else:
            attempts.prove_password(deed, account.number, password or "")
        with desk.database.connection() as connection:
            deed.done(connection)


def csrf_token(token: str) -> str:
    """Bound to the session by its making: nobody who lacks the token can make it."""
    return hmac.new(token.encode(), b"prize-meter csrf", "sha256").hexdigest()


def csrf_matches(token: str, shown: str) -> bool:
    return hmac.compare_digest(csrf_token(token).encode(), shown.encode())
