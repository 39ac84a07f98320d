"""Table agents as the floor has them: in order, patient, and with bad habits.

Each keeps what it sent until it is answered and repeats the same bytes. It turns to either server,
goes away before the reply, asks both at once, repeats what is long answered, and sends ahead.
"""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract.canonical import canonical_json
from meter_server.contract.signatures import signature_headers
from tests.faults.kept import Json, Kept

PATH = "/v1/messages"
REPLY_SECONDS_MAX = 30
TRY_LATER = (429, 503)


@dataclass(frozen=True)
class Habits:
    """How often, of all requests."""

    batch: float = 0.4
    abandon: float = 0.04
    both_at_once: float = 0.03
    repeat: float = 0.04
    repeat_old: float = 0.02
    overlap: float = 0.03
    ahead: float = 0.03
    pause_seconds_max: float = 0.1


@dataclass(frozen=True)
class Request:
    kept: Sequence[Kept]
    body: bytes
    headers: dict[str, str]

    @property
    def fresh(self) -> list[Kept]:
        """What nobody has answered yet."""
        return [one for one in self.kept if one.answer is None]


@dataclass
class Agent:
    device: str
    epoch: int
    key: Ed25519PrivateKey
    ports: Sequence[int]
    address: str
    """Its own place on this machine: the house counts requests by address."""
    commands: Iterator[Json]
    actor: str
    chance: random.Random
    habits: Habits = field(default_factory=Habits)
    kept: list[Kept] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    give_up: threading.Event = field(default_factory=threading.Event)
    _answered: list[Request] = field(default_factory=list)

    def play(self, stop: threading.Event) -> None:
        """Until it is told to stop and everything it has sent is answered."""
        while not (stop.is_set() or self._is_over()):
            request = self._next_request()
            if self._feels_like(self.habits.ahead):
                request = self._send_ahead(request)
            self._deliver(request)
            if self._feels_like(self.habits.repeat):
                self._deliver(request)
            if self._feels_like(self.habits.repeat_old):
                self._deliver(self.chance.choice(self._answered))
            stop.wait(self.chance.uniform(0, self.habits.pause_seconds_max))

    def _is_over(self) -> bool:
        return bool(self.surprises) or self.give_up.is_set()

    def _feels_like(self, habit: float) -> bool:
        return self.chance.random() < habit

    def _next_request(self) -> Request:
        size = self.chance.randint(2, 20) if self._feels_like(self.habits.batch) else 1
        overlap = self.kept[-1:] if self._feels_like(self.habits.overlap) else []
        fresh = [self._next_message() for _ in range(size)]
        return self._signed([*overlap, *fresh])

    def _next_message(self) -> Kept:
        message = {
            "number": len(self.kept) + 1,
            "agent_at": datetime.now(UTC).isoformat(timespec="microseconds")[:26] + "Z",
            "actor": self.actor,
            "grant": None,
            "command": next(self.commands),
        }
        kept = Kept(self.device, self.epoch, message)
        self.kept.append(kept)
        return kept

    def _signed(self, kept: Sequence[Kept]) -> Request:
        messages = [one.message for one in kept]
        body = canonical_json({"device": self.device, "epoch": self.epoch, "messages": messages})
        headers = signature_headers(self.key, "POST", PATH, body, datetime.now(UTC))
        return Request(kept, body, {**headers, "Content-Type": "application/json"})

    def _send_ahead(self, request: Request) -> Request:
        """The one after the next, first: it must be refused, and nothing of it done."""
        last_number = request.kept[-1].number - len(request.fresh)
        ahead = self._signed([self._next_message()])
        with suppress(OSError, HTTPException, ValueError):
            [(status, reply)] = self._ask(ahead, [self._port()])
            if (status, reply.get("last_number")) == (409, last_number):
                self.counts["gaps"] += 1
            elif status not in TRY_LATER:
                self.surprises.append(f"{ahead.kept[0].key}, ahead of its turn, heard {reply}")
        self._deliver(request)
        return ahead

    def _deliver(self, request: Request) -> None:
        """Again and again, the same bytes, until it is answered."""
        while not self._is_over():
            ports = list(self.ports) if self._feels_like(self.habits.both_at_once) else None
            try:
                if self._feels_like(self.habits.abandon):
                    self._abandon(request)
                    continue
                replies = self._ask(request, ports or [self._port()])
            except (OSError, HTTPException, ValueError):
                self.counts["lost replies"] += 1
                self._wait_a_little()
                continue
            heard = [self._hear(request, status, reply) for status, reply in replies]
            if any(heard):
                self._answered.append(request)
                return
            self._wait_a_little()

    def _wait_a_little(self) -> None:
        time.sleep(self.chance.uniform(0.02, 0.2))

    def _port(self) -> int:
        return self.chance.choice(self.ports)

    def _abandon(self, request: Request) -> None:
        connection = self._send(request, self._port())
        time.sleep(self.chance.uniform(0, 0.02))
        connection.close()
        self.counts["abandoned"] += 1

    def _ask(self, request: Request, ports: Sequence[int]) -> list[tuple[int, Json]]:
        """Everybody first, and only then hear what they say."""
        replies = []
        with ExitStack() as opened:
            connections = [
                opened.enter_context(closing(self._send(request, port))) for port in ports
            ]
            for connection in connections:
                response = connection.getresponse()
                replies.append((response.status, json.loads(response.read())))
        return replies

    def _send(self, request: Request, port: int) -> HTTPConnection:
        now_ns = time.monotonic_ns()
        for kept in request.kept:
            kept.sent_ns = kept.sent_ns or now_ns
        connection = HTTPConnection(
            "127.0.0.1", port, timeout=REPLY_SECONDS_MAX, source_address=(self.address, 0)
        )
        try:
            connection.request("POST", PATH, request.body, request.headers)
        except OSError:
            connection.close()
            raise
        return connection

    def _hear(self, request: Request, status: int, reply: Json) -> bool:
        """Whether all of it is answered now; what must never be said is kept as a surprise."""
        now_ns = time.monotonic_ns()
        if status in TRY_LATER:
            self.counts["try later"] += 1
            return False
        if status != 200:
            self.surprises.append(f"{request.kept[0].key} heard {status}: {reply}")
            return False
        if len(reply["answers"]) != len(request.kept):
            self.surprises.append(f"{request.kept[0].key} was not answered whole")
            return False
        for kept, answered in zip(request.kept, reply["answers"], strict=True):
            self._keep(kept, answered, now_ns)
        return True

    def _keep(self, kept: Kept, answered: Json, now_ns: int) -> None:
        self.counts["replays"] += answered["replayed"]
        if kept.answer is None:
            kept.acknowledged_ns = now_ns
            kept.answer, kept.receipt = answered["answer"], answered["receipt"]
            return
        if (answered["answer"], answered["receipt"]) != (kept.answer, kept.receipt):
            self.surprises.append(f"{kept.key} was answered again, and otherwise")
