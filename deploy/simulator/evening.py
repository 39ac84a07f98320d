"""An evening: many tables at once, each in a thread of its own, until so many rounds are played."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from deploy.simulator.dealer import Dealer, Rates, Stacked, Staff
from deploy.simulator.table import Event, SimulationError, Stopped, Tablet
from deploy.simulator.tally import Tally
from deploy.simulator.wire import Wire
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from meter_server.domain.cards import parse_cards
from meter_server.domain.hands import strength
from meter_server.domain.rulebook.readings import Readings
from table_agent import running

_AGAIN_SECONDS = 5.0

Shows = Mapping[tuple[int, int], Stacked]
"""By place of the table and number of its round."""


@dataclass(frozen=True)
class Plan:
    rounds: int | None
    """In all; None until it is stopped."""
    seconds: float | None
    speed: float
    """Times a real floor's; 0 as fast as it goes."""
    seed: int
    rates: Rates
    shows: Shows = field(default_factory=dict)

    @property
    def is_endless(self) -> bool:
        return self.rounds is None and self.seconds is None

    def rounds_of(self, place: int, tables: int) -> int | None:
        if self.rounds is None:
            return None
        return self.rounds // tables + (place < self.rounds % tables)


class Evening:
    def __init__(self, server: str, plan: Plan, staff: Staff) -> None:
        self._server, self._plan, self._staff = _address(server), plan, staff
        self.stop = threading.Event()
        self.tally = Tally()
        self.events: list[Event] = []
        self._tablets: list[Tablet] = []
        self._dealers: list[Dealer] = []
        self._disturbed: set[int] = set()
        self.seconds = 0.0

    @contextmanager
    def at_the_tables(self, folders: Sequence[Folder]) -> Iterator[None]:
        """Agents run and dealers stand at them; what was open has ended."""
        strength(parse_cards("2c 3d 4h 5s 7c"))  # All hands are listed once, not by every thread.
        with ExitStack() as held, ThreadPoolExecutor(len(folders)) as pool:
            for folder in folders:
                held.enter_context(running.alone(folder))
            places = range(len(folders))
            begun = list(pool.map(self._begin, folders, places))
            for tablet, _ in begun:
                held.callback(tablet.wire.close)
            self._tablets = [tablet for tablet, _ in begun]
            self._dealers = [dealer for _, dealer in begun]
            self.events.clear()
            yield

    def play(self, tell: Callable[[int], None] = lambda _: None) -> None:
        """``tell`` hears of each round that has ended, with the table's place."""
        began = time.monotonic()
        until = None if self._plan.seconds is None else began + self._plan.seconds
        with ThreadPoolExecutor(len(self._dealers)) as pool:
            playing = [
                pool.submit(self._play, place, until, tell) for place in range(len(self._dealers))
            ]
            try:
                for one in playing:
                    one.result()
            finally:
                self.stop.set()
        self.seconds = time.monotonic() - began

    @property
    def readings(self) -> Readings:
        return self._tablets[0].standing().readings

    @property
    def stacked(self) -> set[str]:
        """The rounds that chance had no part in."""
        return set[str]().union(*(dealer.stacked for dealer in self._dealers))

    @property
    def counts(self) -> Counter[str]:
        """What happened beside the rounds."""
        found: Counter[str] = Counter()
        for dealer, tablet in zip(self._dealers, self._tablets, strict=True):
            found += dealer.counts
            found["agents restarted"] += tablet.restarts
            for fate, times in tablet.wire.cuts.items():
                found[f"links cut: {fate}"] += times
        return found

    def _begin(self, folder: Folder, place: int) -> tuple[Tablet, Dealer]:
        wire = Wire(self._server, f"127.0.{1 + place // 250}.{1 + place % 250}")
        # Nobody sums up an evening without an end.
        heard = (lambda _: None) if self._plan.is_endless else self.events.append
        tablet = Tablet(folder, wire, self.stop, heard)
        dice = Random(f"{self._plan.seed}/{place}")  # noqa: S311 - an evening that can be had again
        plan = self._plan
        dealer = Dealer(tablet, self._staff, plan.rates, self.tally, dice, plan.speed)
        dealer.begin()
        return tablet, dealer

    def _play(self, place: int, until: float | None, tell: Callable[[int], None]) -> None:
        rounds = self._plan.rounds_of(place, len(self._dealers))
        number = 0
        try:
            while not self._is_over(until) and (rounds is None or number < rounds):
                number += 1
                self._play_round(place, self._plan.shows.get((place, number)))
                tell(place)
        except Stopped:
            return
        except BaseException:
            self.stop.set()  # One table that cannot go on ends the evening for all.
            raise

    def _play_round(self, place: int, show: Stacked | None) -> None:
        """Where people look on, a round that something came between is left behind."""
        dealer = self._dealers[place]
        if not self._plan.is_endless:
            dealer.play(show)
            return
        try:
            if place in self._disturbed:
                dealer.begin()
                self._disturbed.remove(place)
            dealer.play(show)
        except DeviceError as error:
            print(f"{self._tablets[place].name}: {error}", flush=True)
            self._disturbed.add(place)
            self._tablets[place].wait(_AGAIN_SECONDS)

    def _is_over(self, until: float | None) -> bool:
        return self.stop.is_set() or (until is not None and time.monotonic() > until)


def _address(server: str) -> tuple[str, int]:
    """Where its wires lead: to this machine, so that nobody plays with a casino's own server."""
    parts = urlsplit(server)
    if parts.scheme != "http" or parts.hostname not in ("127.0.0.1", "localhost") or not parts.port:
        raise SimulationError(
            f"A simulated floor plays with a server on this machine, such as "
            f"http://127.0.0.1:8470, and not with {server}."
        )
    return parts.hostname, parts.port
