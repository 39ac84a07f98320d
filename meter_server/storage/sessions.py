"""Who is signed in."""

from dataclasses import dataclass
from datetime import datetime

from psycopg import Connection

from meter_server.storage.queries import queries
from meter_server.storage.staff import Account, account_from


@dataclass(frozen=True, slots=True)
class Session:
    account: Account
    seen_at: datetime
    expires_at: datetime


def begin(
    connection: Connection,
    token_digest: bytes,
    number: str,
    address: str,
    now: datetime,
    expires_at: datetime,
) -> None:
    queries.begin_session(
        connection,
        token_digest=token_digest,
        number=number,
        address=address,
        now=now,
        expires_at=expires_at,
    )


def find(
    connection: Connection, token_digest: bytes, now: datetime, seen_after: datetime
) -> Session | None:
    """Only a session that is still good, of a person who may still come in."""
    row = queries.find_session(
        connection, token_digest=token_digest, now=now, seen_after=seen_after
    )
    if row is None:
        return None
    *account, seen_at, expires_at = row
    return Session(account_from(tuple(account)), seen_at, expires_at)


def see(connection: Connection, token_digest: bytes, now: datetime) -> None:
    queries.see_session(connection, token_digest=token_digest, now=now)


def end(connection: Connection, token_digest: bytes) -> str | None:
    """Whose session it was; None where it had ended before."""
    number: str | None = queries.end_session(connection, token_digest=token_digest)
    return number


def end_all_of(connection: Connection, number: str) -> None:
    queries.end_sessions_of(connection, number=number)


def end_dead(connection: Connection, now: datetime, seen_after: datetime) -> None:
    queries.end_dead_sessions(connection, now=now, seen_after=seen_after)
