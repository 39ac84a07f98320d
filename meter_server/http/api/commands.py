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
from meter_server.domain.commands import Command
from meter_server.domain.refusals import Kind, Refused
from meter_server.http.api.models import Instant, Shown
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import IDEMPOTENCY_HEADER, Commander
from meter_server.http.problems import Problem
from meter_server.recording.door import Status, Submission
from meter_server.recording.ports import staff_key


class EntryShown(Shown):
    """An entry of a meter's journal."""

    meter: str
    seq: int
    kind: str
    amount_micros: int
    after_micros: int
    hash: str


class Recorded(Shown):
    """What was recorded, and when; the same for every repeat of the request."""

    message: str = Field(description="The permanent key of the command.")
    at: Instant
    draining: bool = Field(description="Whether it waits for open games to end.")
    entries: list[EntryShown]


def command(
    caller: Commander,
    what: str,
    subject: str,
    wanted: Command,
    look: Callable[[], Json | None],
) -> Recorded:
    """Submit it under the person's own key; ``look`` shows the subject before and after."""
    account, desk = caller.account, caller.parts.desk
    with audit.watched(desk, caller.origin, what, person=account.number, subject=subject) as deed:
        submission = Submission(
            key=staff_key(account.number, caller.idempotency_key),
            digest=_request_digest(),
            command=wanted,
            actor=person_of(account),
        )
        before = look()
        answer = recorded(caller.parts.submit, submission)
        with desk.database.connection() as connection:
            deed.done(connection, before=before, after=look())
    return answer


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
    )


def _request_digest() -> bytes:
    """Of what is asked for, so that a repeat is known from another request under the same key."""
    asked = f"{request.method} {request.path}\n".encode()
    return hashlib.sha256(asked + request.get_data()).digest()
