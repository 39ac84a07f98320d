"""What one person proposed and another one must confirm."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from meter_server.storage.queries import queries


class ProposalState(StrEnum):
    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    """Two persons wanted it, and the rules did not allow it."""
    REJECTED = "rejected"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Proposal:
    id: str
    action: str
    body: dict[str, Any]
    state: ProposalState
    proposed_by: str
    proposed_at: datetime
    expires_at: datetime
    confirmed_by: str | None = None
    rejected_by: str | None = None
    decided_at: datetime | None = None
    reason: str | None = None
    result: dict[str, Any] | None = None


def add(connection: Connection, proposal: Proposal) -> None:
    queries.add_proposal(
        connection,
        id=proposal.id,
        action=proposal.action,
        body=Jsonb(proposal.body),
        by=proposal.proposed_by,
        now=proposal.proposed_at,
        expires_at=proposal.expires_at,
    )


def find(connection: Connection, proposal_id: str) -> Proposal | None:
    row = queries.find_proposal(connection, id=proposal_id)
    return _proposal(row) if row else None


def page(
    connection: Connection, state: ProposalState | None, after: str, rows: int
) -> list[Proposal]:
    found = queries.proposals_page(connection, state=state, after=after, page_rows=rows)
    return [_proposal(row) for row in found]


def lapse(connection: Connection, now: datetime) -> None:
    queries.lapse_proposals(connection, now=now)


def claim(connection: Connection, proposal_id: str, by: str, now: datetime) -> bool:
    """True for the one person who confirmed it."""
    claimed: int = queries.claim_proposal(connection, id=proposal_id, by=by, now=now)
    return claimed == 1


def lock_confirmed(connection: Connection, proposal_id: str) -> bool:
    """Inside a transaction: True for the one who is to carry it out."""
    return queries.lock_confirmed_proposal(connection, id=proposal_id) is not None


def finish(connection: Connection, proposal_id: str, result: dict[str, Any]) -> None:
    queries.finish_proposal(connection, id=proposal_id, result=Jsonb(result))


def refuse(connection: Connection, proposal_id: str, reason: str) -> None:
    queries.refuse_proposal(connection, id=proposal_id, reason=reason)


def reject(connection: Connection, proposal_id: str, by: str, reason: str, now: datetime) -> bool:
    rejected: int = queries.reject_proposal(
        connection, id=proposal_id, by=by, reason=reason, now=now
    )
    return rejected == 1


def _proposal(row: tuple[Any, ...]) -> Proposal:
    proposal_id, action, body, state, *rest = row
    return Proposal(proposal_id, action, body, ProposalState(state), *rest)
