"""Manual arrangements reconciled: what the paper adds up to against what was keyed in (A-57)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from meter_server.domain.entries import Account
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.rounds import RoundState
from meter_server.storage import manual
from meter_server.storage.database import Connection, Database
from meter_server.storage.manual import Arrangement, KeyedIn
from meter_server.storage.prizes import Written


@dataclass(frozen=True, slots=True)
class KeyedIrregularity:
    """An irregularity of a round that was played on paper."""

    case: str
    paper: str
    paper_at: datetime
    keyed_by: tuple[str, str]
    keyed_at: datetime


@dataclass(frozen=True, slots=True)
class KeyedRound:
    """A round that was played on paper."""

    round_id: str
    paper: str
    wagers: int
    """With those that were not registered at first and joined afterwards (A-55)."""
    staked_micros: int
    keyed_at: datetime
    paper_at: datetime
    outcome_paper: str | None
    """None while its outcome is not keyed in."""
    outcome_keyed_at: datetime | None
    irregularities: Sequence[KeyedIrregularity]
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
        return [Gap(one, _rounds(connection, one)) for one in found]


def _rounds(connection: Connection, gap: Arrangement) -> list[KeyedRound]:
    keyed = manual.keyed_in(connection, gap.table_id, gap.declared_at, gap.ended_at)
    names = [one.round_id for one in keyed]
    irregularities = manual.irregularities_keyed_in(connection, names)
    return [_round(one, irregularities[one.round_id]) for one in keyed]


def _round(keyed: KeyedIn, irregularities: Sequence[Written]) -> KeyedRound:
    registration, outcome = keyed.registration, keyed.outcome
    body: dict[str, Any] = registration.body
    detail, lines = body["detail"], dict(body["lines"])
    joined = sum(_joined(one) for one in irregularities)
    return KeyedRound(
        round_id=keyed.round_id,
        paper=detail["paper"],
        wagers=len(detail["seats"]) + joined,
        staked_micros=joined * detail["cost_cents"] * MICROS_PER_CENT - lines[Account.WAGERS_TAKEN],
        keyed_at=registration.at,
        paper_at=datetime.fromisoformat(body["agent_at"]),
        outcome_paper=None if outcome is None else outcome.body["detail"]["paper"],
        outcome_keyed_at=None if outcome is None else outcome.at,
        irregularities=[_irregularity(one) for one in irregularities],
        state=keyed.state,
    )


def _joined(irregularity: Written) -> int:
    """How many seats are registered anew that had no wager before."""
    detail = irregularity.body["detail"]
    return len(set(detail.get("reregistered", ())) - set(detail["seats"]))


def _irregularity(written: Written) -> KeyedIrregularity:
    body = written.body
    return KeyedIrregularity(
        case=body["detail"]["case"],
        paper=body["detail"]["paper"],
        paper_at=datetime.fromisoformat(body["agent_at"]),
        keyed_by=(body["actor"], body["second"]),
        keyed_at=written.at,
    )
