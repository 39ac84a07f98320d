"""The meter as at any time for settlement, and the statement of each (WAG-3, AUD-1).

Nothing is worked out again: what is told is what was recorded, word for word.
"""

from datetime import datetime

from meter_server.domain.rounds import Round
from meter_server.storage import history
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.history import Recorded
from meter_server.storage.rows import Needs


def as_at(database: Database, meter_id: str, at: datetime) -> Recorded | None:
    """The last entry that was recorded by then; the meter stood where it left it."""
    with database.connection() as connection:
        return history.as_at(connection, meter_id, at)


def at_seq(database: Database, meter_id: str, seq: int) -> Recorded | None:
    with database.connection() as connection:
        return history.at_seq(connection, meter_id, seq)


def rulings(
    database: Database, meter_id: str, what: str | None, after: int, rows: int
) -> list[Recorded]:
    """Who ruled what about wagers and prizes, by which no money moved."""
    with database.connection() as connection:
        return history.rulings(connection, meter_id, what, after, rows)


def played(database: Database, round_id: str) -> Round | None:
    """The round itself: for which meter, and whether it was settled or how else it ended."""
    needs = Needs(rounds=frozenset({round_id}))
    return PostgresFloor(database).load(needs).floor.rounds.get(round_id)


def settlement(database: Database, round_id: str) -> Recorded | None:
    """The settlement of a round; the meter at its time is m of its statement."""
    with database.connection() as connection:
        return history.settlement(connection, round_id)
