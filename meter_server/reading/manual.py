"""Manual arrangements reconciled: what the paper adds up to against what was keyed in (A-57)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from meter_server.domain.entries import Account
from meter_server.domain.rounds import RoundState
from meter_server.storage import manual
from meter_server.storage.database import Database
from meter_server.storage.manual import Arrangement, KeyedIn


@dataclass(frozen=True, slots=True)
class KeyedRound:
    """A round that was played on paper."""

    round_id: str
    paper: str
    wagers: int
    staked_micros: int
    keyed_at: datetime
    paper_at: datetime
    outcome_paper: str | None
    """None while its outcome is not keyed in."""
    outcome_keyed_at: datetime | None
    state: RoundState
    """What became of it: settled, or ended by an irregularity."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The time that a table worked on paper, from its declaration to its end."""

    arrangement: Arrangement
    rounds: Sequence[KeyedRound]

    @property
    def wagers(self) -> int:
        return sum(one.wagers for one in self.rounds)

    @property
    def staked_micros(self) -> int:
        return sum(one.staked_micros for one in self.rounds)

    @property
    def without_outcome(self) -> list[str]:
        """Still open: neither settled nor ended by an irregularity."""
        return [one.round_id for one in self.rounds if one.state is RoundState.REGISTERED]

    @property
    def is_reconciled(self) -> bool:
        """Ended, every round with its end, and as many rounds and wagers as on paper."""
        keyed = (len(self.rounds), self.wagers)
        on_paper = (self.arrangement.paper_rounds, self.arrangement.paper_wagers)
        return keyed == on_paper and not self.without_outcome


def gaps(database: Database, table_id: str | None, after: str, rows: int) -> list[Gap]:
    with database.connection() as connection:
        found = manual.page(connection, table_id, after, rows)
        return [
            Gap(
                one,
                [
                    _round(keyed)
                    for keyed in manual.keyed_in(
                        connection, one.table_id, one.declared_at, one.ended_at
                    )
                ],
            )
            for one in found
        ]


def _round(keyed: KeyedIn) -> KeyedRound:
    registration, outcome = keyed.registration, keyed.outcome
    body: dict[str, Any] = registration.body
    lines = dict(body["lines"])
    return KeyedRound(
        round_id=body["round"],
        paper=body["detail"]["paper"],
        wagers=len(body["detail"]["seats"]),
        staked_micros=-lines[Account.WAGERS_TAKEN],
        keyed_at=registration.at,
        paper_at=datetime.fromisoformat(body["agent_at"]),
        outcome_paper=None if outcome is None else outcome.body["detail"]["paper"],
        outcome_keyed_at=None if outcome is None else outcome.at,
        state=keyed.state,
    )
