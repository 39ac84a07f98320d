"""When tables worked on paper, and what was keyed in from it."""

import json
from dataclasses import dataclass
from datetime import datetime

from meter_server.domain.rounds import RoundState
from meter_server.storage.database import Connection
from meter_server.storage.prizes import Written
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class Arrangement:
    key: str
    table_id: str
    declared_by: str
    declared_at: datetime
    reason: str
    ended_by: str | None
    ended_at: datetime | None
    paper_rounds: int | None
    paper_wagers: int | None


@dataclass(frozen=True, slots=True)
class KeyedIn:
    """A registration from paper, and what became of its round."""

    registration: Written
    outcome: Written | None
    state: RoundState

    @property
    def round_id(self) -> str:
        return str(self.registration.body["round"])


def declare(
    connection: Connection, *, message: str, table_id: str, by: str, at: datetime, reason: str
) -> None:
    queries.declare_manual(
        connection, message=message, table_id=table_id, by=by, at=at, reason=reason
    )


def end(
    connection: Connection,
    *,
    message: str,
    table_id: str,
    by: str,
    at: datetime,
    paper_rounds: int,
    paper_wagers: int,
) -> None:
    queries.end_manual(
        connection,
        message=message,
        table_id=table_id,
        by=by,
        at=at,
        paper_rounds=paper_rounds,
        paper_wagers=paper_wagers,
    )


def page(connection: Connection, table_id: str | None, after: str, rows: int) -> list[Arrangement]:
    found = queries.manual_page(connection, table_id=table_id, after=after, page_rows=rows)
    return [Arrangement(*row) for row in found]


def keyed_in(
    connection: Connection, table_id: str, since: datetime, until: datetime | None
) -> list[KeyedIn]:
    found = queries.keyed_in(connection, table_id=table_id, since=since, until=until)
    return [
        KeyedIn(
            Written(at, json.loads(body)),
            None if outcome is None else Written(outcome_at, json.loads(outcome)),
            RoundState(state),
        )
        for at, body, outcome_at, outcome, state in found
    ]


def irregularities_keyed_in(connection: Connection, rounds: list[str]) -> dict[str, list[Written]]:
    """By round; no others than these."""
    found: dict[str, list[Written]] = {round_id: [] for round_id in rounds}
    for at, text in queries.irregularities_keyed_in(connection, rounds=rounds):
        body = json.loads(text)
        found[body["round"]].append(Written(at, body))
    return found
