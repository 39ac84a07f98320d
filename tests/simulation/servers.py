"""Servers, agents and faults from one seed: the real door on a simulated store, clock and network.

Each turn one of two servers takes a batch of whatever agents have sent. While it decides, the other
may keep a batch first; the connection may be lost before or after the commit; the server may die;
an answer may be lost on its way. Agents send again until they are answered.
"""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import AREA_MANAGER, ASSISTANT_CASINO_MANAGER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from meter_server.recording.door import Answer, Door, Status, Submission, Unavailable
from meter_server.recording.ports import device_key, staff_key
from meter_server.storage.rows import Loaded, Needs, OutcomeUnknown, Write
from tests.simulation.store import MemoryFloor

MANAGER = Person("4001", ASSISTANT_CASINO_MANAGER)
SECOND = Person("3001", AREA_MANAGER)
SYSTEMS = {"A": 100, "B": 500}
DEVICES = {"t1": "A", "t2": "A", "t3": "B"}
BATCH_MAX = 6


class Killed(Exception):  # noqa: N818 - a server that is gone says nothing.
    """The server died: nobody is answered."""


@dataclass
class Clock:
    """Of one server: ahead of or behind the other's, and sometimes standing still."""

    at_us: int
    random: Random

    def now_us(self) -> int:
        self.at_us += self.random.choice((0, 1, 50_000))
        return self.at_us


@dataclass
class Sent:
    """What an agent knows of one of its messages."""

    submission: Submission
    first_sent: int = 0
    acknowledged: int = 0
    answer: bytes = b""


@dataclass
class Agent:
    device: str
    meter: str
    outbox: list[Sent] = field(default_factory=list)
    rounds: int = 0
    playing: bool = False
    seats: list[int] = field(default_factory=list)

    def waiting(self) -> list[Sent]:
        return [sent for sent in self.outbox if not sent.acknowledged]

    def do(self, random: Random) -> None:
        """The next thing that happens at the table."""
        number = len(self.outbox) + 1
        command = self._command(random)
        digest = hashlib.sha256(repr(command).encode()).digest()
        key = device_key(self.device, 1, number)
        sent = Submission(key, digest, command, MANAGER, table_id=f"T-{self.device}")
        self.outbox.append(Sent(sent))

    def _command(self, random: Random) -> Command:
        if random.random() < 0.05:  # the rules refuse it, and its number is used up
            return commands.RecordOutcome("nowhere/1/1")
        self.playing = not self.playing
        if self.playing:
            self.rounds += 1
            self.seats = random.sample(range(1, 8), random.randint(1, 7))
            table, cost = f"T-{self.device}", SYSTEMS[self.meter]
            return commands.RegisterWagers(self._round(), table, frozenset(self.seats), cost)
        if random.random() < 0.15:
            won = {self.seats[0]: HandReport(own_cards=parse_cards("As Ks"))}
            return commands.RecordOutcome(self._round(), won, parse_cards("Ts Js Qs"))
        return commands.RecordOutcome(self._round())

    def _round(self) -> str:
        return f"{self.device}/1/{self.rounds}"


class World:
    def __init__(self, seed: int, store: MemoryFloor | None = None) -> None:
        self.random = Random(seed)  # noqa: S311 - a simulation
        self.store = MemoryFloor(DEVICES) if store is None else store
        self.agents = [Agent(device, meter) for device, meter in DEVICES.items()]
        self.met: Counter[str] = Counter()
        self.turn = 0
        clocks = [Clock(1_800_000_000_000_000 + ahead, self.random) for ahead in (0, 3_000_000)]
        self._doors = [Door(_Faulty(self), clock) for clock in clocks]
        self._depth = 0
        self._open()

    def live(self, turns: int) -> None:
        for _ in range(turns):
            for agent in self.agents:
                if len(agent.waiting()) < 4 and self.random.random() < 0.6:
                    agent.do(self.random)
            self.serve()
        while any(agent.waiting() for agent in self.agents) and self.turn < 20 * turns:
            self.serve()

    def serve(self) -> None:
        """One batch through one server; answers may be lost, and old requests may come again."""
        batch = self._batch()
        door = self.random.choice(self._doors)
        try:
            answers = door.step([sent.submission for sent in batch])
        except (Killed, Unavailable) as error:
            self.met[type(error).__name__] += 1
            return
        self.turn += 1
        for sent, answer in zip(batch, answers, strict=True):
            self._hear(sent, answer)

    def _batch(self) -> list[Sent]:
        """From each agent its oldest unanswered ones, now and then some answered long ago, or not
        in order: whatever a network does."""
        self.turn += 1
        batch: list[Sent] = []
        for agent in self.random.sample(self.agents, self.random.randint(1, len(self.agents))):
            sending = agent.waiting()[: self.random.randint(1, 4)]
            if agent.outbox and self.random.random() < 0.2:
                sending = [self.random.choice(agent.outbox), *sending]
            if self.random.random() < 0.1:
                self.random.shuffle(sending)
            batch += sending
        del batch[BATCH_MAX:]
        for sent in batch:
            sent.first_sent = sent.first_sent or self.turn
        return batch

    def _hear(self, sent: Sent, answer: Answer) -> None:
        self.met[answer.status] += 1
        if self.random.random() < 0.2:
            self.met["answer lost"] += 1
        elif answer.status in (Status.ANSWERED, Status.REPLAYED):
            assert not sent.answer or sent.answer == answer.body, "two answers to one message"
            sent.acknowledged = sent.acknowledged or self.turn
            sent.answer = answer.body

    def come_between(self) -> None:
        """The other server keeps a batch while this one decides; not for ever."""
        if self._depth:
            return
        self._depth += 1
        try:
            self.met["overtaken"] += 1
            self.serve()
        finally:
            self._depth -= 1

    def _open(self) -> None:
        door = Door(self.store, Clock(1_790_000_000_000_000, self.random))
        for number, command in enumerate(_floor()):
            key = staff_key(MANAGER.staff_number, str(number))
            [answer] = door.step([Submission(key, b"\0" * 32, command, MANAGER, second=SECOND)])
            assert answer.body.startswith(b'{"answer":"accepted"'), answer.body


def _floor() -> list[Command]:
    found: list[Command] = []
    for device in DEVICES:
        table = f"T-{device}"
        found += [
            commands.DefineTable(table, GameKey.WSOP, 7, Limits(1_000, 50_000)),
            commands.OpenTable(table),
        ]
    for meter, cost in SYSTEMS.items():
        tables = tuple(f"T-{device}" for device, own in DEVICES.items() if own == meter)
        found.append(commands.OpenSystem(meter, Terms(1, 10_000, cost), tables))
    return found


class _Faulty:
    """The store as one server sees it."""

    def __init__(self, world: World) -> None:
        self._world = world

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        world = self._world
        write = decide(world.store.load(needs))
        fault = world.random.random()
        if fault < 0.05:
            world.met["lost before the commit"] += 1
            raise OutcomeUnknown("lost before the commit")
        if fault < 0.08:
            world.met["killed before the commit"] += 1
            raise Killed
        if fault < 0.25 and not locking:
            world.come_between()
        kept = world.store.store(write)
        world.met["kept" if kept else "stale"] += 1
        if kept and fault > 0.95:
            world.met["lost after the commit"] += 1
            raise OutcomeUnknown("lost after the commit")
        if kept and fault > 0.92:
            world.met["killed after the commit"] += 1
            raise Killed
        return kept
