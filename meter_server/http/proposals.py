"""What one person proposed and another one must confirm."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, Field

from meter_server.access import proposals
from meter_server.access.permissions import Permission
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Page, PageQuery, Shown, Strict, Text
from meter_server.http.api.pages import page
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.storage.proposals import Proposal, ProposalState

family = Family("proposals", "What takes two persons")


class ProposalShown(Shown):
    id: str
    action: str
    body: dict[str, Any] = Field(description="What is proposed, as it was sent.")
    state: ProposalState
    proposed_by: str
    proposed_at: Instant
    expires_at: Instant
    confirmed_by: str | None
    rejected_by: str | None
    decided_at: Instant | None
    reason: str | None
    result: dict[str, Any] | None

    @classmethod
    def of(cls, proposal: Proposal) -> "ProposalShown":
        return cls(
            id=proposal.id,
            action=proposal.action,
            body=proposal.body,
            state=proposal.state,
            proposed_by=proposal.proposed_by,
            proposed_at=proposal.proposed_at,
            expires_at=proposal.expires_at,
            confirmed_by=proposal.confirmed_by,
            rejected_by=proposal.rejected_by,
            decided_at=proposal.decided_at,
            reason=proposal.reason,
            result=proposal.result,
        )


class ProposalsQuery(PageQuery):
    state: ProposalState | None = Field(default=None, description="Only those in this state.")


class CarriedOut(Shown):
    proposal: ProposalShown
    once: dict[str, Any] | None = Field(
        description="Shown now and never again, such as a one-time code."
    )


class Rejection(Strict):
    reason: Text


def propose(
    caller: Staff, action: str, body: BaseModel, try_it: Callable[[], None] = lambda: None
) -> ProposalShown:
    """For the endpoints of things that take two persons."""
    desk, handlers = caller.parts.desk, caller.parts.handlers
    return ProposalShown.of(
        proposals.propose(desk, handlers, caller.origin, caller.account, action, body, try_it)
    )


@family.get(
    "/v1/proposals", permitted(Permission.READ_PROPOSALS), "List the proposals, oldest first."
)
def list_proposals(caller: Staff, query: ProposalsQuery) -> Page[ProposalShown]:
    found = proposals.page(caller.parts.desk, query.state, query.after or "", query.limit + 1)
    return page(found, query.limit, ProposalShown.of, lambda proposal: proposal.id)


@family.get("/v1/proposals/<proposal_id>", permitted(Permission.READ_PROPOSALS), "Show one.")
def show(caller: Staff, proposal_id: Name) -> ProposalShown:
    return ProposalShown.of(proposals.find(caller.parts.desk, proposal_id))


@family.post(
    "/v1/proposals/<proposal_id>/confirmation",
    SIGNED_IN,
    "Confirm what a colleague proposed: it is carried out now.",
    refuses=[HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY],
)
def confirm(caller: Staff, proposal_id: Name) -> CarriedOut:
    parts = caller.parts
    done = proposals.confirm(parts.desk, parts.handlers, caller.origin, caller.account, proposal_id)
    return CarriedOut(proposal=ProposalShown.of(done.proposal), once=done.once)


@family.post(
    "/v1/proposals/<proposal_id>/rejection",
    SIGNED_IN,
    "Reject what a colleague proposed, or take back one's own.",
    refuses=[HTTPStatus.CONFLICT],
)
def reject(caller: Staff, proposal_id: Name, body: Rejection) -> ProposalShown:
    parts = caller.parts
    return ProposalShown.of(
        proposals.reject(
            parts.desk, parts.handlers, caller.origin, caller.account, proposal_id, body.reason
        )
    )
