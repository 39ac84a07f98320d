"""Who somebody is, by their secret: guessing gets slower with every failure.

Failures are counted for one person at one place. Whoever guesses at one console or address slows
down nobody at another, so the floor cannot be kept out of its own house. A number that nobody has
is treated like one that somebody has.
"""

import math
from collections.abc import Callable
from datetime import timedelta

from meter_server.access.audit import Deed
from meter_server.access.hashing import digest
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.writing import NAME
from meter_server.storage import staff
from meter_server.storage.staff import Account, AccountState, Secrets

FREE_FAILURES = 3
DELAY_MAX = timedelta(minutes=5)
_FORGOTTEN_AFTER = timedelta(days=1)


def prove_password(deed: Deed, number: str, password: str) -> Account:
    """The deed's line names the person whose secret was tried, also when it is refused."""
    return _prove(
        deed,
        number,
        lambda kept: deed.desk.hasher.verify(kept.password_hash, password),
        "Type the staff number and the password again, or ask an Administrator for an invitation.",
    )


def prove_pin(deed: Deed, number: str, pin: str) -> Account:
    return _prove(
        deed,
        number,
        lambda kept: deed.desk.hasher.verify(kept.pin_hash, pin),
        "Try the card or number and the PIN again, or set a new PIN in the back office.",
    )


def listen(deed: Deed, number: str) -> Account | None:
    """Count an attempt before it is judged; refused while the last failure is too fresh."""
    now, place = deed.desk.now(), deed.origin.place
    with deed.desk.database.connection() as connection:
        account = staff.find(connection, number)
        if account is not None:
            deed.person = account.number
        wait = staff.take_attempt(
            connection,
            _whose(account, number),
            place,
            now,
            free=FREE_FAILURES,
            delay_max=DELAY_MAX,
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
    return account


def succeeded(deed: Deed, account: Account) -> None:
    with deed.desk.database.connection() as connection:
        staff.forget_attempts(connection, account.number, deed.origin.place)


def _whose(account: Account | None, number: str) -> str:
    """Nobody's number may be a password typed into the wrong field: too little of it is kept to
    tell which, and enough to count."""
    return account.number if account else f"?{digest(number)[:2].hex()}"


def _prove(deed: Deed, number: str, is_right: Callable[[Secrets], bool], remedy: str) -> Account:
    account, kept = None, Secrets()
    if NAME.fullmatch(number):
        account = listen(deed, number)
        with deed.desk.database.connection() as connection:
            kept = staff.secrets_of(connection, number)
    # Outside the connection: this takes long on purpose, for numbers that nobody has too.
    if not is_right(kept) or account is None:
        raise Denied(
            Kind.WRONG_CREDENTIALS, "That is not a staff number with its secret.", remedy=remedy
        )
    succeeded(deed, account)
    if account.state is not AccountState.ACTIVE:
        raise Denied(
            Kind.WRONG_CREDENTIALS,
            f"The account {number} is suspended.",
            remedy="Ask an Administrator to restore it.",
        )
    return account
