"""A table and its server in one thread: the agent's real outbox and sender, a simulated network
that loses, doubles, delays and reorders, a disk that survives crashes, all from one seed.

The server here is written from docs/protocol.md, section 6, and shares no code with the product's.
"""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from meter_server.contract.device.errors import NotReached, Refused
from meter_server.contract.receipts import Receipt, Result, receipt_text
from table_agent.link import Answered
from table_agent.outbox import Outbox
from table_agent.ports import Row, Value
from table_agent.sender import Sender
from tests.unit.contract.keys import KEY, ORIGIN

DEVICE, EPOCH, METER, TABLE = "t1-a", 1, "one", "T1"
AT = "2027-03-01T02:00:00.000000Z"


class Crash(BaseException):
    """The agent's process ends here."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def instant(self) -> str:
        return AT

    def seconds(self) -> float:
        return self.now


class MemoryDisk:
    """SQLite in memory, which says that it is as durable as was asked: it outlives the process."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)

    def rows(self, sql: str, *values: Value) -> list[Row]:
        if sql == "PRAGMA journal_mode = WAL":
            return [("wal",)]
        return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.rows("BEGIN")
        try:
            yield
        except BaseException:
            self.rows("ROLLBACK")
            raise
        self.rows("COMMIT")

    def free_bytes(self) -> int:
        return 1 << 40


@dataclass
class Books:
    """What the server has recorded: the message of each number, and a chain of entries."""

    messages: dict[int, tuple[str, dict[str, Any], Receipt]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    heads: list[str] = field(default_factory=lambda: [hashlib.sha256(b"genesis").hexdigest()])

    @property
    def last(self) -> int:
        return len(self.order)


@dataclass
class SimulatedServer:
    books: Books = field(default_factory=Books)
    frozen: bool = False
    looks_at_receipts: bool = True

    def receive(self, body: bytes) -> list[tuple[dict[str, Any], bool, Receipt]]:
        answers = []
        for message in json.loads(body):
            number, digest = message["number"], hashlib.sha256(_canonical(message)).hexdigest()
            if self.frozen:
                raise Refused(401, {"detail": "The device is frozen."})
            known = self.books.messages.get(number)
            if known is not None:
                if known[0] != digest:
                    self.frozen = True
                    raise Refused(409, {"kind": "forked", "detail": "Two messages, one number."})
                answers.append((known[1], True, known[2]))
            elif number != self.books.last + 1:
                if answers:
                    break
                gap = {"kind": "gap", "detail": "A gap.", "last_number": self.books.last}
                raise Refused(409, gap)
            else:
                answer, receipt = self.record(number, digest)
                answers.append((answer, False, receipt))
        return answers

    def record(self, number: int, digest: str) -> tuple[dict[str, Any], Receipt]:
        accepted = int(digest[:2], 16) % 4 > 0  # The rules refuse one in four.
        books = self.books
        if accepted:
            books.heads.append(hashlib.sha256((books.heads[-1] + digest).encode()).hexdigest())
        answer = {"answer": "accepted" if accepted else "refused", "seq": len(books.heads)}
        receipt = Receipt(
            origin=ORIGIN,
            device=DEVICE,
            epoch=EPOCH,
            number=number,
            message=digest,
            result=Result.ACCEPTED if accepted else Result.REFUSED,
            answer=hashlib.sha256(_canonical(answer)).hexdigest(),
            at=AT,
            entries=int(accepted),
            meter=METER,
            meter_seq=len(books.heads),
            head=books.heads[-1],
        )
        books.messages[number] = (digest, answer, receipt)
        books.order.append(number)
        return answer, receipt

    def beat(self, receipt: str | None) -> int:
        if self.frozen:
            raise Refused(401, {"detail": "The device is frozen."})
        if receipt is not None and self.looks_at_receipts:
            shown = Receipt.model_validate_json(receipt.split("\n")[1])
            known = self.books.messages.get(shown.number)
            if known is None or known[2] != shown:
                raise Refused(409, {"kind": "history-lost", "detail": "The history is lost."})
        return self.books.last


@dataclass
class Network:
    """Between one agent and the server. How bad it is, is drawn from the seed."""

    server: SimulatedServer
    chance: Random
    clock: Clock
    badness: float
    late: list[bytes] = field(default_factory=list)
    """Requests on their way: they arrive some time, in any order, perhaps twice."""

    met: Counter[str] = field(default_factory=Counter)
    """Which troubles there were: a network that was never bad would prove nothing."""

    def send(self, messages: Sequence[dict[str, Any]]) -> list[Answered]:
        body = _canonical(list(messages))
        self._deliver_late()
        self._trouble(body)
        answers = self.server.receive(body)
        if self._bad("answer lost"):
            raise NotReached("The answer was lost.")
        if self._bad("killed before the answer was kept"):
            raise Crash
        if self._bad("few answers"):
            answers = answers[: self.chance.randint(0, len(answers))]
        return [
            Answered(answer, replayed, receipt_text(receipt), receipt)
            for answer, replayed, receipt in answers
        ]

    def beat(self, receipt: str | None) -> int:
        self._deliver_late()
        self._trouble(None)
        return self.server.beat(receipt)

    def table(self) -> dict[str, Any]:
        self._trouble(None)
        return {"checkpoint": None, "meter": None, "at": AT}

    def _bad(self, what: str) -> bool:
        happens = self.chance.random() < self.badness
        self.met[what] += happens
        return happens

    def _trouble(self, body: bytes | None) -> None:
        """Nothing arrives, or it arrives later, or the agent dies before it is sent."""
        self.clock.now += self.chance.random() * 10 * self.badness
        if self._bad("request lost"):
            raise NotReached("The request was lost.")
        if body is not None and self._bad("request late"):
            self.late.extend([body] * self.chance.randint(1, 2))
            raise NotReached("The request is late.")
        if self._bad("killed before it was sent"):
            raise Crash

    def _deliver_late(self) -> None:
        self.chance.shuffle(self.late)
        while self.late and self.chance.random() < 0.5:
            self.met["late request arrived"] += 1
            try:
                self.server.receive(self.late.pop())
            except Refused:
                continue  # Nobody waits for this answer any more.


@dataclass
class TableLife:
    """One table: it says things at random moments, and its agent is killed at others."""

    seed: int
    badness: float = 0.15
    outbox_kind: type[Outbox] = Outbox
    sender_kind: type[Sender] = Sender
    said: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What the dealer was told is accepted, by number."""
    seen_recorded: dict[int, str] = field(default_factory=dict)
    """What the dealer saw as recorded, with its answer."""

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)  # noqa: S311 - a simulation
        self.clock, self.disk = Clock(), MemoryDisk()
        self.server = SimulatedServer()
        self.network = Network(self.server, self.chance, self.clock, self.badness)
        self.start()

    def start(self) -> None:
        """A new process on the same disk."""
        self.outbox = self.outbox_kind(self.disk, DEVICE, EPOCH)
        self.sender = self.sender_kind(self.outbox, self.network, self.clock, KEY, self.chance)

    def say(self) -> None:
        command = {"kind": "report-gates", "table": TABLE, "failing": []}
        if self.chance.random() < 0.5:
            command["failing"] = ["display"]
        number = self.outbox.put(AT, "1001", command)
        self.said[number] = command

    def step(self) -> float:
        try:
            pause = self.sender.step()
        except Crash:
            self.start()
            pause = 0.0
        self.clock.now += pause * self.chance.random() * 2
        for item in self.outbox.items():
            if item.answer is not None:
                self.seen_recorded.setdefault(item.number, json.dumps(item.answer))
        return pause

    def live(self, messages: int) -> None:
        for _ in range(messages):
            for _ in range(self.chance.randint(0, 3)):
                self.step()
            self.say()

    def heal(self, steps_max: int = 400) -> bool:
        """The network works again: whether the queue drains within the steps."""
        self.network.badness = 0.0
        while self.outbox.queued_count() and steps_max:
            steps_max -= 1
            self.clock.now += 20
            self.step()
        return not self.outbox.queued_count()

    def roll_back(self) -> None:
        """The server is restored from an older copy of its books."""
        old = deepcopy(self.server.books)
        kept = self.chance.randint(0, old.last - 1)
        self.server.books = Books()
        for number in old.order[:kept]:
            self.server.record(number, old.messages[number][0])


def faults(life: TableLife) -> list[str]:
    """What the promise forbids, found by looking at both sides (FAULTS I1, I2, I3)."""
    books, found = life.server.books, []
    if life.server.frozen:
        found.append("the device forked")
    if books.order != list(range(1, books.last + 1)):
        found.append(f"the order of the books is {books.order}")
    for number, answer in life.seen_recorded.items():
        known = books.messages.get(number)
        if known is None:
            found.append(f"message {number} was seen as recorded and is lost")
        elif json.dumps(known[1]) != answer and json.loads(answer) != known[1]:
            found.append(f"message {number} was seen with another answer")
    if len(life.said) != books.last:
        found.append(f"{len(life.said)} were said and {books.last} are recorded")
    for number, command in life.said.items():
        item = life.outbox.item(number)
        if item is None or item.message["command"] != command:
            found.append(f"message {number} is not as it was said")
        elif (
            number in books.messages
            and books.messages[number][0] != hashlib.sha256(_canonical(item.message)).hexdigest()
        ):
            found.append(f"message {number} is recorded otherwise")
    return found


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
