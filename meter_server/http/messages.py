"""Messages of table agents: recorded in the order of their numbers, answered with receipts."""

import hashlib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import orjson
from pydantic import Field

from meter_server import failpoints
from meter_server.access import consoles, devices
from meter_server.access.refusals import Denied, Kind
from meter_server.contract import messages as sent
from meter_server.contract.canonical import answer_digest, canonical_json, message_digest
from meter_server.contract.messages import Message, Messages
from meter_server.contract.receipts import Receipt, Result, sign_receipt
from meter_server.contract.signatures import SIGNATURE, SIGNATURE_INPUT
from meter_server.domain.people import NOBODY_HERE, Person
from meter_server.failpoints import Place
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Shown
from meter_server.http.api.signed import AT_TABLE, AtTable
from meter_server.http.commands_sent import actions_of, command_of, microseconds
from meter_server.http.problems import Problem
from meter_server.recording.door import Answer, Status, Submission
from meter_server.recording.ports import device_key
from meter_server.storage.rows import SignedRequest

family = Family("messages", "Messages of table agents")

RECORDED = frozenset({Status.ANSWERED, Status.REPLAYED})
"""What is answered with a receipt."""


class Answered(Shown):
    number: int
    replayed: bool = Field(description="It was recorded before; this is the answer of then.")
    answer: dict[str, Any] = Field(description="Accepted or refused; see docs/protocol.md.")
    receipt: str = Field(description="A signed note that names the answer: keep it.")


class Answers(Shown):
    """In the order of the messages. Where there are fewer, send the rest again."""

    answers: list[Answered]


PATH = "/v1/messages"


@family.post(
    PATH,
    AT_TABLE,
    "Report what happened at the table: each message is recorded once and answered for itself.",
    refuses=[HTTPStatus.CONFLICT],
)
def report(caller: AtTable, body: Messages) -> Answers:
    submissions = submissions_of(caller, body)
    answers = caller.parts.submit(submissions)
    if any(answer.status is Status.FORKED for answer in answers):
        raise _forked(caller)
    if answers[0].status is Status.GAP:
        raise _gap(answers[0].last_number)
    told = answers_of(caller, submissions, answers)
    if not told.answers:
        raise RuntimeError(f"the door answered {answers[0].status} to {submissions[0].key.text}")
    return told


def answers_of(
    caller: AtTable, submissions: Sequence[Submission], answers: Sequence[Answer]
) -> Answers:
    """Of what was recorded, each with its receipt."""
    return Answers(
        answers=[
            _answered(caller, submission, answer)
            for submission, answer in zip(submissions, answers, strict=True)
            if answer.status in RECORDED
        ]
    )


def _require_own(caller: AtTable, body: Messages) -> None:
    """What a device cannot mean: nothing of the request is done, and no number consumed."""
    device = caller.device
    if (body.device, body.epoch) != (device.id, device.epoch):
        raise _malformed(f"This key is of device {device.id} in epoch {device.epoch}: say so.")
    began = f"{device.id}/{device.epoch}/"
    for message in body.messages:
        command = message.command
        if isinstance(command, sent.RegisterWagers) and not command.round.startswith(began):
            raise _malformed(f"A round that begins here is named {began} and a number.")


def submissions_of(caller: AtTable, body: Messages) -> list[Submission]:
    """What the messages ask the door for."""
    _require_own(caller, body)
    signed = SignedRequest(
        digest=hashlib.sha256(caller.request.body).digest(),
        body=caller.request.body,
        key_id=caller.key.id,
        signature_input=caller.request.headers[SIGNATURE_INPUT],
        signature=caller.request.headers[SIGNATURE],
    )
    # As they were sent: a digest is of the sender's words, not of what we understood.
    as_sent = orjson.loads(caller.request.body)["messages"]
    people = {
        number: _person(caller, number) for number in {message.actor for message in body.messages}
    }
    return [
        _submission(caller, message, words, people[message.actor], signed)
        for message, words in zip(body.messages, as_sent, strict=True)
    ]


def _submission(
    caller: AtTable, message: Message, words: Any, actor: Person, signed: SignedRequest
) -> Submission:
    key = device_key(caller.device.id, caller.device.epoch, message.number)
    digest = bytes.fromhex(message_digest(canonical_json(words)))
    return Submission(
        key=key,
        digest=digest,
        command=command_of(message.command),
        actor=actor,
        approver=_approver(caller, message, key.text, digest),
        agent_at_us=microseconds(message.agent_at),
        table_id=caller.console.table_id,
        request=signed,
    )


def _person(caller: AtTable, number: str) -> Person:
    try:
        return consoles.actor(caller.parts.desk, caller.device.id, number, caller.here)
    except Denied:
        # The rules refuse them: the number is consumed, and what waits behind it can be heard.
        return Person(number, NOBODY_HERE)


def _approver(caller: AtTable, message: Message, key: str, digest: bytes) -> Person | None:
    """Whose grant stands behind it. One that is over stands behind nothing, and the rules decide
    without it; that it was refused is in the trail."""
    if message.grant is None:
        return None
    try:
        return consoles.use_grant(
            caller.parts.desk,
            caller.origin,
            caller.console,
            message.grant,
            actions_of(message.command),
            key,
            digest,
        )
    except Denied:
        return None


def _answered(caller: AtTable, submission: Submission, answer: Answer) -> Answered:
    told = orjson.loads(answer.body)
    receipt = sign_receipt(_receipt(caller, submission, answer.body, told), caller.signer)
    failpoints.reach(Place.SIGNED)
    return Answered(
        number=submission.key.number,
        replayed=answer.status is Status.REPLAYED,
        answer=told,
        receipt=receipt,
    )


def _receipt(caller: AtTable, submission: Submission, body: bytes, told: dict[str, Any]) -> Receipt:
    """Of nothing but what was stored: a replay gets the same one, byte for byte."""
    head = told["head"] or {"meter": None, "seq": None, "hash": None}
    made = [one for one in told.get("entries", ()) if one["meter"] == head["meter"]]
    return Receipt(
        origin=caller.signer.verifier.name,
        device=caller.device.id,
        epoch=caller.device.epoch,
        number=submission.key.number,
        message=submission.digest.hex(),
        result=Result(told["answer"]),
        answer=answer_digest(body),
        at=told["at"],
        entries=len(made),
        meter=head["meter"],
        meter_seq=head["seq"],
        head=head["hash"],
    )


def _forked(caller: AtTable) -> Denied:
    reason = "it sent two messages under one number"
    devices.freeze(caller.parts.desk, caller.origin, caller.device, reason)
    return Denied(
        Kind.FORKED,
        f"Another message came under this number before: the device {caller.device.id} is frozen.",
        remedy="Look for a second device with its key or an old copy of it, then enrol it again.",
    )


def _gap(last_number: int) -> Problem:
    return Problem(
        HTTPStatus.CONFLICT,
        f"Earlier messages are missing: send again from number {last_number + 1}.",
        kind="gap",
        last_number=last_number,
    )


def _malformed(sentence: str) -> Problem:
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
