"""Load, decide, store, answer: one step for a whole batch of messages.

Messages are folded in the order of their arrival; a bad one refuses only itself. Nothing is
answered before it is durable, a repeat is answered as it was before, and whatever another server
moved in the meantime makes this one read and decide again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import structlog

from meter_server.canonical import Json
from meter_server.domain.commands import Command
from meter_server.domain.deciding import decide, stamp
from meter_server.domain.entries import canonical_bytes, chain_hash, genesis_hash
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Refusal
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, Readings
from meter_server.domain.tables import Gate
from meter_server.recording.answers import accepted_answer, refused_answer
from meter_server.recording.needs import needs_of
from meter_server.recording.places import place, speaks_for_another_table
from meter_server.recording.ports import Clock, MessageKey, Store
from meter_server.storage.rows import (
    Head,
    Loaded,
    Needs,
    OutcomeUnknown,
    SignedRequest,
    StoredEntry,
    StoredMessage,
    Write,
)

_log = structlog.get_logger(__name__)
_ATTEMPTS = 8

Failing = Callable[[str | None], frozenset[Gate]]
"""Which conditions for taking wagers fail at a table, by what the server itself knows."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One message: who asks for what, under which permanent key."""

    key: MessageKey
    digest: bytes
    """SHA-256 of what was sent under this key: a repeat has the same one."""
    command: Command
    actor: Person
    approver: Person | None = None
    second: Person | None = None
    agent_at_us: int | None = None
    table_id: str | None = None
    """Where the device that sent it stands: it speaks for no other table."""
    request: SignedRequest | None = None


class Status(StrEnum):
    ANSWERED = "answered"
    """Recorded for good: accepted or refused by the rules, now or when it first came."""
    REPLAYED = "replayed"
    FORKED = "forked"
    """Another message came under this key before: the sender is not to be trusted."""
    GAP = "gap"
    """Earlier messages of this device are missing; it sends again from the one after the last."""
    FAILED = "failed"
    """The decision broke; nothing was recorded and the number is still free."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: Status
    body: bytes = b""
    last_number: int = 0


class Unavailable(Exception):  # noqa: N818 - the floor is not reachable; the sender tries again.
    """The store could not be brought to keep the batch; every message may be sent again."""


class Door:
    """The writer as a step function over a store and a clock."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        readings: Readings = DEFAULT_READINGS,
        failing: Failing = lambda _table_id: frozenset(),
    ) -> None:
        self._store = store
        self._clock = clock
        self._readings = readings
        self._failing = failing

    def step(self, batch: Sequence[Submission]) -> list[Answer]:
        """Answer every message of a batch, in its order."""
        asked = [needs_of(submission.command) for submission in batch]
        needs = Needs.of_all([*asked, _messages(batch)])
        answers: list[Answer] = []

        def decide_all(loaded: Loaded) -> Write:
            nonlocal answers
            fold = _Fold(loaded, self._clock.now_us(), self._readings, self._failing)
            answers = [fold.message(submission) for submission in batch]
            return fold.write

        for attempt in range(_ATTEMPTS):
            try:
                if self._store.attempt(needs, decide_all, locking=attempt > 0):
                    return answers
            except OutcomeUnknown:
                _log.warning("the outcome of a commit is unknown: reading again")
        raise Unavailable(f"The batch was not kept in {_ATTEMPTS} attempts: send it again.")


def _messages(batch: Sequence[Submission]) -> Needs:
    keys = [submission.key for submission in batch]
    return Needs(
        tables=frozenset(one.table_id for one in batch if one.table_id is not None),
        messages=frozenset(key.text for key in keys),
        devices=frozenset(key.device_id for key in keys if key.device_id is not None),
    )


def _bodies(decision: Accepted | Refusal, context: Context) -> list[bytes]:
    """The entries as they will be stored; what cannot be written spoils its own message only."""
    if not isinstance(decision, Accepted):
        return []
    stamped = stamp(context)
    return [canonical_bytes(entry, stamped) for entry in decision.entries]


class _Fold:
    """One pass over a batch: the floor as it becomes, and what is to be written."""

    def __init__(self, read: Loaded, now_us: int, readings: Readings, failing: Failing) -> None:
        self.write = write = Write(read)
        self._floor: Floor = write.read.floor
        # No entry is older than the one before it, whatever the clocks of two servers say.
        self._at_us = max(now_us, *(head.at_us for head in write.read.heads.values()), 0)
        self._readings = readings
        self._failing = failing
        self._given: dict[str, tuple[bytes, bytes]] = dict(write.read.answers)
        self._forked: set[str] = set()

    def message(self, submission: Submission) -> Answer:
        key = submission.key
        if key.device_id in self._forked:
            return Answer(Status.FORKED)
        if key.device_id is not None:
            number = (key.device_id, key.epoch)
            last = self.write.numbers.setdefault(
                number, self.write.read.last_numbers.get(number, 0)
            )
            if key.text not in self._given and key.number != last + 1:
                return Answer(Status.GAP, last_number=last)
        if key.text in self._given:
            return self._again(submission)
        return self._first_time(submission)

    def _again(self, submission: Submission) -> Answer:
        digest, body = self._given[submission.key.text]
        if digest != submission.digest:
            if submission.key.device_id is not None:
                self._forked.add(submission.key.device_id)
            return Answer(Status.FORKED)
        self.write.repeats_to_people |= submission.key.device_id is None
        return Answer(Status.REPLAYED, body)

    def _first_time(self, submission: Submission) -> Answer:
        context = self._context(submission)
        try:
            decision = speaks_for_another_table(
                self._floor, submission.command, submission.table_id
            ) or decide(self._floor, submission.command, context)
            bodies = _bodies(decision, context)
        except ValueError:
            _log.exception("a decision broke", message=submission.key.text)
            return Answer(Status.FAILED)
        if isinstance(decision, Accepted):
            stored = self._journal(decision, bodies, submission.key.text)
            self._floor = apply(self._floor, decision)
            self.write.include(decision)
            self.write.moves_systems |= needs_of(submission.command).all_systems
            head = self._head_at(submission.table_id)
            body = accepted_answer(submission.key.text, self._at_us, decision, stored, head)
        else:
            head = self._head_at(submission.table_id)
            body = refused_answer(submission.key.text, self._at_us, decision, head)
        self._keep(submission, body)
        return Answer(Status.ANSWERED, body)

    def _context(self, submission: Submission) -> Context:
        return Context(
            at_us=self._at_us,
            actor=submission.actor,
            approver=submission.approver,
            second=submission.second,
            agent_at_us=submission.agent_at_us,
            message=submission.key.text,
            request_digest=None if submission.request is None else submission.request.digest.hex(),
            readings=self._readings,
            failing=self._failing(place(self._floor, submission.command)),
        )

    def _journal(
        self, accepted: Accepted, bodies: Sequence[bytes], message: str
    ) -> list[StoredEntry]:
        stored = []
        for entry, body in zip(accepted.entries, bodies, strict=True):
            previous = self._head(entry.meter_id)
            hashed = chain_hash(previous, body)
            self.write.heads[entry.meter_id] = Head(hashed, self._at_us)
            stored.append(StoredEntry(entry, self._at_us, message, body, previous, hashed))
        self.write.entries.extend(stored)
        return stored

    def _head(self, meter_id: str) -> bytes:
        head = self.write.heads.get(meter_id) or self.write.read.heads.get(meter_id)
        return genesis_hash(meter_id) if head is None else head.hash

    def _head_at(self, table_id: str | None) -> Json:
        """Where the meter of a table's system stands now: what the table's receipt names."""
        table = None if table_id is None else self._floor.tables.get(table_id)
        if table is None or table.meter_id is None:
            return None
        seq = self._floor.meters[table.meter_id].seq
        return {"hash": self._head(table.meter_id).hex(), "meter": table.meter_id, "seq": seq}

    def _keep(self, submission: Submission, body: bytes) -> None:
        key = submission.key
        self._given[key.text] = (submission.digest, body)
        self.write.messages.append(
            StoredMessage(key.text, submission.digest, self._at_us, body, submission.request)
        )
        if key.device_id is not None:
            self.write.numbers[key.device_id, key.epoch] = key.number
