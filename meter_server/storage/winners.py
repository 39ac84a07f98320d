"""Who won, kept beside the journal."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Winner:
    digest: str
    salt: bytes
    details: dict[str, Any]
    noted_by: str
    noted_at: datetime


def add(connection: Connection, prize_id: str, winner: Winner) -> None:
    queries.add_winner(
        connection,
        digest=winner.digest,
        prize_id=prize_id,
        salt=winner.salt,
        details=Jsonb(winner.details),
        by=winner.noted_by,
        now=winner.noted_at,
    )


def find(connection: Connection, prize_id: str) -> Winner | None:
    row = queries.find_winner(connection, prize_id=prize_id)
    return Winner(*row) if row else None
