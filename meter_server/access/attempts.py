"""Who somebody is, by their secret: guessing gets slower with every failure.

Failures are counted for one person at one place. Whoever guesses at one console or address slows
down nobody at another, so the floor cannot be kept out of its own house.
"""

import math
from collections.abc import Callable
from datetime import timedelta

from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.writing import NAME
from meter_server.storage import staff
from meter_server.storage.staff import Account, AccountState, Secrets

FREE_FAILURES = 3
DELAY_MAX = timedelta(minutes=5)
_FORGOTTEN_AFTER = timedelta(days=1)


def prove_password(desk: Desk, origin: Origin, number: str, password: str) -> Account:
    return _prove(
        desk,
        origin,
        number,
        lambda kept: desk.hasher.verify(kept.password_hash, password),
        "Type the staff number and the password again, or ask an Administrator for an invitation.",
    )


def prove_pin(desk: Desk, origin: Origin, number: str, pin: str) -> Account:
    return _prove(
        desk,
        origin,
        number,
        lambda kept: desk.hasher.verify(kept.pin_hash, pin),
        "Try the card or number and the PIN again, or set a new PIN in the back office.",
    )


def listen(desk: Desk, origin: Origin, number: str) -> None:
    """Count an attempt before it is judged; refused while the last failure is too fresh."""
    now = desk.now()
    with desk.database.connection() as connection:
        wait = staff.take_attempt(
            connection, number, origin.place, now, free=FREE_FAILURES, delay_max=DELAY_MAX
        )
        staff.forget_old_attempts(connection, now - _FORGOTTEN_AFTER)
    if wait is not None:
        seconds = math.ceil(wait.total_seconds())
        raise Denied(
            Kind.TOO_MANY_TRIES,
            "There were too many wrong tries from here.",
            remedy=f"Wait {seconds} s, or use another console or computer.",
            retry_after_seconds=seconds,
        )


def succeeded(desk: Desk, origin: Origin, number: str) -> None:
    with desk.database.connection() as connection:
        staff.forget_attempts(connection, number, origin.place)


def _prove(
    desk: Desk, origin: Origin, number: str, is_right: Callable[[Secrets], bool], remedy: str
) -> Account:
    account, kept = None, Secrets()
    if NAME.fullmatch(number):
        listen(desk, origin, number)
        with desk.database.connection() as connection:
            account = staff.find(connection, number)
            kept = staff.secrets_of(connection, number)
    # Outside the connection: this takes long on purpose, for numbers that nobody has too.
    if not is_right(kept) or account is None:
        raise Denied(
            Kind.WRONG_CREDENTIALS, "That is not a staff number with its secret.", remedy=remedy
        )
    succeeded(desk, origin, number)
    if account.state is not AccountState.ACTIVE:
        raise Denied(
            Kind.WRONG_CREDENTIALS,
            f"The account {number} is suspended.",
            remedy="Ask an Administrator to restore it.",
        )
    return account
