"""Winners' details: beside the journal, which knows them by a salted digest only.

Without the salt nobody can try names against a digest; without the row, the digest tells nothing.
"""

import hashlib
import secrets
from typing import Any

from meter_server.access import audit, permissions
from meter_server.access.audit import Origin
from meter_server.access.desk import Desk
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain import refusals
from meter_server.domain.awards import AwardState
from meter_server.domain.entries import canonical_json
from meter_server.domain.refusals import Refused
from meter_server.storage import prizes, winners
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account
from meter_server.storage.winners import Winner

_PREFIX = b"prize-meter winner 1\n"


def digest_of(salt: bytes, details: dict[str, Any]) -> str:
    return hashlib.sha256(_PREFIX + salt + canonical_json(details)).hexdigest()


def note(desk: Desk, origin: Origin, by: Account, prize_id: str, details: dict[str, Any]) -> Winner:
    """Take the details down; once the prize is paid they are as they were."""
    with audit.watched(desk, origin, "winner:note", person=by.number, subject=prize_id) as deed:
        permissions.require(by, Permission.PAY_PRIZES)
        salt = secrets.token_bytes(32)
        winner = Winner(digest_of(salt, details), salt, details, by.number, desk.now())
        with desk.database.transaction() as connection:
            _require_unpaid(connection, prize_id)
            winners.add(connection, prize_id, winner)
            # The trail is for ever, and shown to many: it knows the digest too, and no name.
            deed.done(connection, after={"digest": winner.digest})
    return winner


def show(desk: Desk, origin: Origin, by: Account, prize_id: str) -> Winner:
    """Whoever looks at a person's details is in the trail."""
    with audit.watched(desk, origin, "winner:show", person=by.number, subject=prize_id) as deed:
        permissions.require(by, Permission.READ_WINNERS)
        with desk.database.transaction() as connection:
            winner = winners.find(connection, prize_id)
            if winner is None:
                raise Denied(
                    Kind.UNKNOWN,
                    f"Nobody has taken down the winner of {prize_id}.",
                    remedy="Look at the list of prizes.",
                )
            deed.done(connection, after={"digest": winner.digest})
    return winner


def digest_for(desk: Desk, prize_id: str) -> str | None:
    """What the ruling of the payment names."""
    with desk.database.connection() as connection:
        winner = winners.find(connection, prize_id)
    return None if winner is None else winner.digest


def _require_unpaid(connection: Connection, prize_id: str) -> None:
    found = prizes.page(connection, only=prize_id)
    if not found:
        raise Denied(
            Kind.UNKNOWN,
            f"There is no prize named {prize_id}.",
            remedy="Look at the list of prizes.",
        )
    if found[0].award.state is AwardState.PAID:
        raise Refused(
            refusals.Kind.ALREADY_PAID,
            f"Prize {prize_id} is paid already, to the winner who was taken down then.",
            rule="house control",
            remedy="Look up the payment in the prize's story.",
        )
