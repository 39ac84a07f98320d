"""Who stands at a console, and whose authority was given there."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from psycopg import Connection

from meter_server.storage.queries import queries
from meter_server.storage.staff import Account, account_from


@dataclass(frozen=True, slots=True)
class Grant:
    """One action at one table, for one message of one device."""

    id: str
    account: Account
    device_id: str
    table_id: str
    action: str
    given_at: datetime
    expires_at: datetime


def sign_on(
    connection: Connection, device_id: str, table_id: str, number: str | None, at: datetime
) -> None:
    queries.sign_on(connection, device_id=device_id, table_id=table_id, number=number, at=at)


def signed_on(connection: Connection, device_id: str) -> Account | None:
    """The person at this console now."""
    row = queries.signed_on(connection, device_id=device_id)
    return account_from(row) if row else None


def has_signed_on(connection: Connection, device_id: str, number: str) -> Account | None:
    """The person, if they ever stood at this console: what they did there may arrive late."""
    row = queries.has_signed_on(connection, device_id=device_id, number=number)
    return account_from(row) if row else None


def give(connection: Connection, grant: Grant) -> None:
    queries.give_grant(
        connection,
        id=grant.id,
        number=grant.account.number,
        role_key=grant.account.role.key,
        device_id=grant.device_id,
        table_id=grant.table_id,
        action=grant.action,
        now=grant.given_at,
        expires_at=grant.expires_at,
    )


def use(
    connection: Connection,
    grant_id: str,
    *,
    device_id: str,
    table_id: str,
    actions: Collection[str],
    message: str,
    now: datetime,
) -> Account | None:
    """Whose authority it was; None where the grant is not for this, is over or used up."""
    row = queries.use_grant(
        connection,
        id=grant_id,
        device_id=device_id,
        table_id=table_id,
        actions=list(actions),
        message=message,
        now=now,
    )
    return account_from(row) if row else None
