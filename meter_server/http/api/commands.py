"""A person's command at the door: done once, its answer told, its line in the trail."""

import hashlib
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flask import request
from pydantic import Field

from meter_server.access import audit
from meter_server.access.audit import Json
from meter_server.access.permissions import person_of
from meter_server.access.proposals import Confirmed, Done
from meter_server.domain.commands import Command
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.people import Person
from meter_server.domain.refusals import Kind, Refused
from meter_server.http.api.models import Instant, Shown
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import IDEMPOTENCY_HEADER, Commander
from meter_server.http.problems import Problem
from meter_server.recording.door import Status, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account


class EntryShown(Shown):
    """An entry of a meter's journal."""

    meter: str
    seq: int
    kind: str
    amount_micros: int
    after_micros: int
    hash: str


class LaterPrize(Shown):
    """A later prize that would have been another, had the settlement been right at once (A-58)."""

    prize: str
    won_cents: int
    due_cents: int
    top_up_cents: int = Field(description="Proposed on top; nothing that was won is taken back.")


class Recorded(Shown):
    """What was recorded, and when; the same for every repeat of the request."""

    message: str = Field(description="The permanent key of the command.")
    at: Instant
    draining: bool = Field(description="Whether it waits for open games to end.")
    entries: list[EntryShown]
    later_prizes: list[LaterPrize] = Field(
        description="After a correction or a void: later prizes of the meter that differ by it."
    )


def command(
    caller: Commander,
    what: str,
    subject: str,
    wanted: Command,
    look: Callable[[], Json | None],
    *,
    asked: bytes | None = None,
    who: Callable[[Account], Person] = person_of,
    also: Callable[[Connection, Recorded], None] = lambda _connection, _recorded: None,
) -> Recorded:
    """Submit it under the person's own key; ``look`` shows the subject before and after.

    ``asked`` stands for a body that holds a secret: the digest of it is kept for ever, and a PIN
    could be guessed from it. ``also`` is written down together with the line in the trail.
    """
    account, desk = caller.account, caller.parts.desk
    with audit.watched(desk, caller.origin, what, person=account.number, subject=subject) as deed:
        submission = Submission(
            key=staff_key(account.number, caller.idempotency_key),
            digest=_request_digest(request.get_data() if asked is None else asked),
            command=wanted,
            actor=who(account),
        )
        before = look()
        answer = recorded(caller.parts.submit, submission)
        after = look()
        with desk.database.transaction() as connection:
            also(connection, answer)
            deed.done(connection, before=before, after=after)
    return answer


def carried_out(
    submit: Submit,
    confirmed: Confirmed[Any],
    command: Command,
    *,
    agent_at_us: int | None = None,
) -> Done:
    """What two persons wanted, done at the door under the proposal's own key."""
    submission = Submission(
        key=staff_key(confirmed.proposer.number, confirmed.proposal_id),
        digest=hashlib.sha256(confirmed.body.model_dump_json().encode()).digest(),
        command=command,
        actor=person_of(confirmed.proposer),
        second=person_of(confirmed.second),
        agent_at_us=agent_at_us,
    )
    return Done(recorded(submit, submission).model_dump(mode="json"))


def recorded(submit: Submit, submission: Submission) -> Recorded:
    """The door's answer; raises its refusal."""
    [answer] = submit([submission])
    match answer.status:
        case Status.ANSWERED | Status.REPLAYED:
            return _told(json.loads(answer.body))
        case Status.FORKED:
            raise Problem(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                f"This {IDEMPOTENCY_HEADER} was used for another request: use a new one.",
            )
        case Status.GAP | Status.FAILED:
            raise RuntimeError(f"the door answered {answer.status} to {submission.key.text}")


def _told(answer: dict[str, Any]) -> Recorded:
    if answer["answer"] == "refused":
        raise Refused(
            Kind(answer["kind"]), answer["reason"], rule=answer["rule"], remedy=answer["remedy"]
        )
    return Recorded(
        message=answer["message"],
        at=answer["at"],
        draining=answer["draining"],
        entries=[
            EntryShown(
                meter=entry["meter"],
                seq=entry["seq"],
                kind=entry["kind"],
                amount_micros=entry["amount"],
                after_micros=entry["after"],
                hash=entry["hash"],
            )
            for entry in answer["entries"]
        ],
        later_prizes=[
            LaterPrize(
                prize=prize["award"],
                won_cents=prize["won"] // MICROS_PER_CENT,
                due_cents=prize["due"] // MICROS_PER_CENT,
                top_up_cents=prize["top_up"] // MICROS_PER_CENT,
            )
            for prize in answer.get("later_prizes", ())
        ],
    )


def _request_digest(body: bytes) -> bytes:
    """Of what is asked for, so that a repeat is known from another request under the same key."""
    return hashlib.sha256(f"{request.method} {request.path}\n".encode() + body).digest()
