"""The campaign: agents play while servers, connections and the database are killed under them."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from rich.progress import Progress

from meter_server.failpoints import Place
from tests.faults.floor import Floor
from tests.faults.kept import Kept
from tests.faults.servers import Preparation, Server
from tests.integration.conftest import Engine

OUTSIDE = "from outside"
TERMINATED = "database connections terminated"
RESTARTED = "database restarts"

# How often a place is reached before the process dies there: seldom reached places sooner.
_NTH_MAX = {Place.LOCKED: 1, Place.SIGNED: 40}
_NTH_MAX_ELSE = 10
_OUTSIDE_SHARE = 0.25
_LIFE_SECONDS_MAX = 4.0
_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Aim:
    """When it is enough."""

    messages: int
    kills: int
    terminations: int
    restarts: int
    seconds_max: float


@dataclass
class Campaign:
    floor: Floor
    folder: Path
    aim: Aim
    seed: int
    postgres: Engine | None = None
    """Which may be restarted."""
    prepare: Preparation | None = None
    kills: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    _stop: threading.Event = field(default_factory=threading.Event)
    _calm: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - a run that can be had again
        self.servers = [
            Server(port, self.floor.environment, self.folder, self.prepare)
            for port in self.floor.ports
        ]

    @property
    def kept(self) -> list[Kept]:
        return [kept for agent in self.floor.agents for kept in agent.kept]

    @property
    def surprises(self) -> list[str]:
        return [surprise for agent in self.floor.agents for surprise in agent.surprises]

    @property
    def counts(self) -> Counter[str]:
        return sum((agent.counts for agent in self.floor.agents), Counter[str]())

    @property
    def server_kills(self) -> int:
        return sum(self.kills[place] for place in (*Place, OUTSIDE))

    def run(self, progress: Progress) -> None:
        """Play and kill until it is enough; then heal everything and let the agents finish."""
        began = time.monotonic()
        with ThreadPoolExecutor(len(self.floor.agents) + 8) as threads, self._ended():
            troubles = [threads.submit(self._keep_killing, server) for server in self.servers]
            troubles.append(threads.submit(self._keep_cutting_connections))
            playing = [threads.submit(agent.play, self._stop) for agent in self.floor.agents]
            self._watch(progress, [*troubles, *playing], began)
            self._calm.set()
            for trouble in troubles:
                trouble.result()
            self._stop.set()
            for player in playing:
                player.result()
            self.seconds = time.monotonic() - began

    @contextmanager
    def _ended(self) -> Iterator[None]:
        """Whatever happens, no thread and no server is left."""
        try:
            yield
        finally:
            self._calm.set()
            self._stop.set()
            for agent in self.floor.agents:
                agent.give_up.set()
            for server in self.servers:
                server.kill()

    def _watch(self, progress: Progress, running: Sequence[Future[None]], began: float) -> None:
        bars = {name: progress.add_task(name, total=total) for name, total, _ in self._so_far()}
        while not all(done >= total for _, total, done in self._so_far()):
            for name, _, done in self._so_far():
                progress.update(bars[name], completed=done)
            if self.surprises or any(one.done() and one.exception() for one in running):
                return
            if time.monotonic() - began > self.aim.seconds_max:
                return
            if self._restart_is_due():
                self._restart_database()
            time.sleep(0.2)

    def _so_far(self) -> list[tuple[str, int, int]]:
        aim, kills = self.aim, self.kills
        messages = sum(len(agent.kept) for agent in self.floor.agents)
        return [
            ("messages", aim.messages, messages),
            ("server kills", aim.kills, self.server_kills),
            ("places hit", len(Place) if aim.kills else 0, sum(kills[p] > 0 for p in Place)),
            (TERMINATED, aim.terminations, kills[TERMINATED]),
            (RESTARTED, aim.restarts, kills[RESTARTED]),
        ]

    def _keep_killing(self, server: Server) -> None:
        """Start it, see it die or kill it, and again; in the end it is left alive."""
        while self.aim.kills and not self._calm.is_set():
            place = self._plan()
            server.start(None if place is None else (place, self._nth(place)))
            life = _LIFE_SECONDS_MAX if place else self.chance.uniform(0.1, 2.0)
            self._wait(lambda: server.has_died(), life)
            if server.has_died():
                self.kills[server.deaths()[-1]] += 1
            else:
                self.kills[OUTSIDE] += 1
            server.kill()
        server.start()

    def _plan(self) -> Place | None:
        """The place that was hit least often so far; now and then none, for a kill from outside."""
        if self.chance.random() < _OUTSIDE_SHARE:
            return None
        return min(self.chance.sample(list(Place), len(Place)), key=self.kills.__getitem__)

    def _nth(self, place: Place) -> int:
        return self.chance.randint(1, _NTH_MAX.get(place, _NTH_MAX_ELSE))

    def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not (condition() or self._calm.is_set()):
            time.sleep(_POLL_SECONDS)

    def _keep_cutting_connections(self) -> None:
        while self.aim.terminations and not self._calm.is_set():
            self._calm.wait(self.chance.uniform(0.2, 1.0))
            self._terminate_a_connection()

    def _terminate_a_connection(self) -> None:
        with suppress(psycopg.OperationalError):
            with psycopg.connect(self.floor.environment["DATABASE_URL"]) as connection:
                ended = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    " AND backend_type = 'client backend' ORDER BY random() LIMIT 1"
                ).fetchone()
            self.kills[TERMINATED] += ended == (True,)

    def _restart_is_due(self) -> bool:
        """Evenly among the other troubles."""
        aim, done = self.aim, self.kills[RESTARTED]
        among = aim.terminations * (done + 1) // (aim.restarts + 1)
        return done < aim.restarts and self.kills[TERMINATED] >= among

    def _restart_database(self) -> None:
        """By the main thread: an engine is on the leash of the thread that starts it."""
        assert self.postgres is not None
        process = self.postgres.process
        assert process is not None
        process.send_signal(signal.SIGQUIT)  # "Immediate": as if the power had failed.
        process.wait()
        self.postgres.start()
        self.kills[RESTARTED] += 1
