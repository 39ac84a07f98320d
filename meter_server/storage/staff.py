"""People, what they can be, and the traces of those who guess their secrets."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from psycopg import Connection

from meter_server.storage.queries import queries

_FIRST_ACCOUNTS_LOCK = 0x4649525354  # "FIRST": any number that no other lock of ours uses


@dataclass(frozen=True, slots=True)
class Role:
    key: str
    title: str
    level: int | None
    """The step of the ladder; None for those who stand outside it."""


class AccountState(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Account:
    number: str
    name: str
    role: Role
    state: AccountState
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Secrets:
    """Hashes; None where the person has not chosen one yet."""

    password_hash: str | None = None
    pin_hash: str | None = None


def find(connection: Connection, number: str) -> Account | None:
    row = queries.find_staff(connection, number=number)
    return account_from(row) if row else None


def lock(connection: Connection, number: str) -> Account | None:
    """Inside a transaction: nobody else changes this person until it ends."""
    row = queries.lock_staff(connection, number=number)
    return account_from(row) if row else None


def page(connection: Connection, after: str, rows: int) -> list[Account]:
    return [
        account_from(row) for row in queries.staff_page(connection, after=after, page_rows=rows)
    ]


def secrets_of(connection: Connection, number: str) -> Secrets:
    row = queries.staff_secrets(connection, number=number)
    return Secrets(*row) if row else Secrets()


def number_of_card(connection: Connection, digest: bytes) -> str | None:
    number: str | None = queries.staff_number_of_card(connection, digest=digest)
    return number


def find_role(connection: Connection, key: str) -> Role | None:
    row = queries.find_role(connection, key=key)
    return Role(*row) if row else None


def roles(connection: Connection) -> list[Role]:
    return [Role(*row) for row in queries.all_roles(connection)]


def wait_for_other_first_accounts(connection: Connection) -> None:
    """Inside a transaction: one at a time, because each looks at who exists already."""
    queries.wait_for_other_first_accounts(connection, lock=_FIRST_ACCOUNTS_LOCK)


def role_is_held(connection: Connection, role_key: str) -> bool:
    return bool(queries.role_is_held(connection, role_key=role_key))


def rank_is_held(connection: Connection, level: int) -> bool:
    return bool(queries.rank_is_held(connection, level=level))


def add(connection: Connection, number: str, name: str, role_key: str, at: datetime) -> bool:
    """False where the number is somebody's already."""
    added: int = queries.add_staff(connection, number=number, name=name, role_key=role_key, at=at)
    return added == 1


def change_role(connection: Connection, number: str, role_key: str) -> None:
    queries.change_role(connection, number=number, role_key=role_key)


def change_state(connection: Connection, number: str, state: AccountState) -> None:
    queries.change_state(connection, number=number, state=state)


def change_password(connection: Connection, number: str, password_hash: str) -> None:
    queries.change_password(connection, number=number, password_hash=password_hash)


def change_pin(connection: Connection, number: str, pin_hash: str) -> None:
    queries.change_pin(connection, number=number, pin_hash=pin_hash)


def change_card(connection: Connection, number: str, digest: bytes) -> None:
    """Inside a transaction: a card belongs to one person, so its former holder has none now."""
    queries.take_card(connection, digest=digest)
    queries.change_card(connection, number=number, digest=digest)


def invite(connection: Connection, number: str, code_digest: bytes, expires_at: datetime) -> None:
    queries.invite(connection, number=number, code_digest=code_digest, expires_at=expires_at)


def use_invitation(connection: Connection, number: str, code_digest: bytes, now: datetime) -> bool:
    """True for the one who used it up."""
    used: int = queries.use_invitation(connection, number=number, code_digest=code_digest, now=now)
    return used == 1


def take_attempt(
    connection: Connection,
    number: str,
    place: str,
    now: datetime,
    *,
    free: int,
    delay_max: timedelta,
) -> timedelta | None:
    """None where the attempt may be judged, else how long to wait before the next one."""
    key: dict[str, Any] = {"number": number, "place": place}
    limits: dict[str, Any] = {"now": now, "free": free, "delay_max": delay_max}
    if queries.take_attempt(connection, **key, **limits) is not None:
        return None
    wait: timedelta | None = queries.attempt_wait(connection, **key, **limits)
    return max(wait or timedelta(0), timedelta(seconds=1))


def forget_attempts(connection: Connection, number: str, place: str) -> None:
    queries.forget_attempts(connection, number=number, place=place)


def forget_old_attempts(connection: Connection, before: datetime) -> None:
    queries.forget_old_attempts(connection, before=before)


def account_from(row: tuple[Any, ...]) -> Account:
    number, name, role_key, role_title, role_level, state, created_at = row
    role = Role(role_key, role_title, role_level)
    return Account(number, name, role, AccountState(state), created_at)
