"""What takes two persons: one proposes it, another one confirms it, and it is carried out once.

Confirming has two steps. The first, one statement, moves the proposal out of its first state: of
all who confirm or reject at once one succeeds. The second carries it out and keeps the result. A
server that dies in between leaves a confirmed proposal without a result, and the same person
confirms it again to have it carried out: a change of this database is kept together with the
result, and a command at the door has the proposal's own key, so neither happens twice.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from meter_server.access import audit, permissions
from meter_server.access.audit import Json, Origin
from meter_server.access.desk import Desk
from meter_server.access.permissions import Permission
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.refusals import Refused
from meter_server.storage import proposals, staff
from meter_server.storage.database import Connection
from meter_server.storage.proposals import Proposal, ProposalState
from meter_server.storage.staff import Account

LIFE = timedelta(hours=24)

Body = TypeVar("Body", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Confirmed(Generic[Body]):
    """What is to be carried out, with both persons as they are at this moment."""

    proposal_id: str
    """Permanent: the key under which it is done once."""
    body: Body
    proposer: Account
    second: Account


@dataclass(frozen=True, slots=True)
class Done:
    result: Json
    """Kept with the proposal."""
    once: Json | None = None
    """Shown to the second person and kept nowhere: a one-time code."""


@dataclass(frozen=True, slots=True)
class Handler(Generic[Body]):
    """One thing that takes two persons."""

    model: type[Body]
    propose: Permission
    confirm: Permission
    carry_out: Callable[[Connection, Confirmed[Body]], Done]
    """Inside a transaction that also keeps the result. A command at the door is submitted under
    ``proposal_id`` instead, which makes it happen once."""
    check: Callable[[Connection, Account, Body], None] = lambda _connection, _person, _body: None
    """What can be refused at once, to the proposer and then to the second person."""


Handlers = Mapping[str, Handler[Any]]
"""By the name of the action."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    proposal: Proposal
    once: Json | None


def propose(
    desk: Desk,
    handlers: Handlers,
    origin: Origin,
    by: Account,
    action: str,
    body: BaseModel,
    try_it: Callable[[], None] = lambda: None,
) -> Proposal:
    """Bodies are kept and shown to everybody concerned: no secret may be in one.

    ``try_it`` refuses to the proposer alone what would be refused as things stand.
    """
    handler = handlers[action]
    now = desk.now()
    proposal = Proposal(
        id=f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}",
        action=action,
        body=body.model_dump(mode="json"),
        state=ProposalState.PROPOSED,
        proposed_by=by.number,
        proposed_at=now,
        expires_at=now + LIFE,
    )
    with audit.watched(
        desk, origin, "proposal:propose", person=by.number, subject=proposal.id
    ) as deed:
        permissions.require(by, handler.propose)
        try_it()
        with desk.database.transaction() as connection:
            handler.check(connection, by, body)
            proposals.add(connection, proposal)
            deed.done(connection, after={"action": action, "body": proposal.body})
    return proposal


def confirm(
    desk: Desk, handlers: Handlers, origin: Origin, by: Account, proposal_id: str
) -> CarriedOut:
    with audit.watched(
        desk, origin, "proposal:confirm", person=by.number, subject=proposal_id
    ) as deed:
        with desk.database.connection() as connection:
            proposal = _find(desk, connection, proposal_id)
            handler = handlers[proposal.action]
            confirmed = _require_two_persons(connection, handler, proposal, by)
            if not _is_open_to(proposal, by):
                raise _ended(proposal)
            handler.check(connection, by, confirmed.body)
            if not proposals.claim(connection, proposal_id, by.number, desk.now()):
                raise _ended(_find(desk, connection, proposal_id))
        try:
            with desk.database.transaction() as connection:
                if not proposals.lock_confirmed(connection, proposal_id):
                    raise _ended(_find(desk, connection, proposal_id))
                done = handler.carry_out(connection, confirmed)
                proposals.finish(connection, proposal_id, done.result)
                deed.done(
                    connection,
                    before={"state": ProposalState.PROPOSED},
                    after={"state": ProposalState.CONFIRMED, "result": done.result},
                )
                carried_out = _find(desk, connection, proposal_id)
        except (Denied, Refused) as refused:
            with desk.database.connection() as connection:
                proposals.refuse(connection, proposal_id, refused.refusal.sentence)
            raise
    return CarriedOut(carried_out, done.once)


def reject(
    desk: Desk, handlers: Handlers, origin: Origin, by: Account, proposal_id: str, reason: str
) -> Proposal:
    """By whoever could confirm it, or by the proposer, who takes it back."""
    with (
        audit.watched(
            desk, origin, "proposal:reject", person=by.number, subject=proposal_id
        ) as deed,
        desk.database.transaction() as connection,
    ):
        proposal = _find(desk, connection, proposal_id)
        if by.number != proposal.proposed_by:
            permissions.require(by, handlers[proposal.action].confirm)
        if not proposals.reject(connection, proposal_id, by.number, reason, desk.now()):
            raise _ended(_find(desk, connection, proposal_id))
        deed.done(
            connection,
            before={"state": proposal.state},
            after={"state": ProposalState.REJECTED, "reason": reason},
        )
        return _find(desk, connection, proposal_id)


def find(desk: Desk, proposal_id: str) -> Proposal:
    with desk.database.connection() as connection:
        return _find(desk, connection, proposal_id)


def page(
    desk: Desk, state: ProposalState | None = None, after: str = "", rows: int = 50
) -> list[Proposal]:
    """Oldest first."""
    with desk.database.connection() as connection:
        proposals.lapse(connection, desk.now())
        return proposals.page(connection, state, after, rows)


def _find(desk: Desk, connection: Connection, proposal_id: str) -> Proposal:
    proposals.lapse(connection, desk.now())
    proposal = proposals.find(connection, proposal_id)
    if proposal is None:
        raise Denied(
            Kind.UNKNOWN,
            f"There is no proposal {proposal_id}.",
            remedy="Look at the list of proposals.",
        )
    return proposal


def _require_two_persons(
    connection: Connection, handler: Handler[Body], proposal: Proposal, by: Account
) -> Confirmed[Body]:
    """Both as they are now: a rank may have been taken away since the proposal."""
    if by.number == proposal.proposed_by:
        raise Denied(
            Kind.SECOND_PERSON_NEEDED,
            "This takes two persons, and you proposed it yourself.",
            remedy="Ask a colleague to confirm it under their own account.",
        )
    proposer = staff.find(connection, proposal.proposed_by)
    assert proposer is not None  # noqa: S101 - the database keeps everybody it refers to
    permissions.require(proposer, handler.propose)
    permissions.require(by, handler.confirm)
    # As JSON, which is how it was sent: a strict model takes a list for a tuple only from there.
    body = handler.model.model_validate_json(json.dumps(proposal.body))
    return Confirmed(proposal.id, body, proposer, by)


def _is_open_to(proposal: Proposal, by: Account) -> bool:
    """Not decided yet, or confirmed by the same person and interrupted."""
    is_interrupted = proposal.state is ProposalState.CONFIRMED and proposal.result is None
    is_theirs = proposal.confirmed_by == by.number
    return proposal.state is ProposalState.PROPOSED or (is_interrupted and is_theirs)


def _ended(proposal: Proposal) -> Denied:
    is_busy = proposal.state is ProposalState.CONFIRMED and proposal.result is None
    told = "being carried out" if is_busy else str(proposal.state)
    return Denied(
        Kind.PROPOSAL_ENDED,
        f"The proposal {proposal.id} is {told} already.",
        remedy="Propose it anew if it is still wanted.",
    )
