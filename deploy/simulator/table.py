"""One table with its real agent: tapped as its console would be, stepped as its sender would be."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from deploy.simulator.wire import Wire
from meter_server.contract.canonical import canonical_json
from meter_server.contract.device.identity import Folder
from meter_server.contract.device.link import Json
from meter_server.contract.tables import TableTold
from table_agent import running
from table_agent.sender import LinkState
from table_agent.table import Table as Standing
from table_agent.table import table as standing

PAUSE_SECONDS_MAX = 0.5
"""Of a sender that nobody answers: an evening is short."""


class SimulationError(Exception):
    """Why the evening cannot go on, in a sentence."""


class Stopped(Exception):  # noqa: N818 - a wish
    """Somebody asked the evening to end."""


@dataclass(frozen=True)
class Event:
    """What a table said and was answered."""

    table: str
    message: Json
    answer: Json


class Tablet:
    def __init__(
        self,
        folder: Folder,
        wire: Wire,
        stop: threading.Event,
        heard: Callable[[Event], None],
    ) -> None:
        self.folder, self.wire = folder, wire
        self._stop, self._heard = stop, heard
        self.restarts = 0
        folder.keep(replace(folder.identity(), server=wire.url))
        self._parts = running.join(folder)
        self._heard_up_to = self._parts.outbox.last_number
        self.exchange()

    @property
    def name(self) -> str:
        return self.folder.identity().table

    def restart(self) -> None:
        """As after a power cut: what is on the disk is all there is."""
        self._parts = running.join(self.folder)
        self.restarts += 1

    def tap(self, tap: str, **more: Any) -> None:
        self._parts.agent.tap(canonical_json({"tap": tap, **more}))

    def tap_here(self, tap: str, **more: Any) -> None:
        """A tap that means the table as it is now."""
        self.tap(tap, place=self.standing().place, **more)

    def standing(self) -> Standing:
        told = TableTold.model_validate(self._parts.sender.told)
        return standing(told, self._parts.outbox.items(told.last_number))

    def step(self) -> LinkState:
        """One step of the sender, whatever comes of it."""
        self._parts.sender.step()
        return self._parts.sender.status.state

    def exchange(self) -> None:
        """Until all is recorded and the table was looked at since."""
        sender, outbox = self._parts.sender, self._parts.outbox
        sender.look()
        while True:
            pause = sender.step()
            state = sender.status.state
            if state is LinkState.STOPPED:
                raise SimulationError(f"Table {self.name}: {sender.status.sentence}")
            if state is LinkState.UP and pause and not outbox.queued_count():
                break
            if self._stop.is_set() and state is not LinkState.UP:
                raise Stopped
            if state is not LinkState.UP:
                time.sleep(min(pause, PAUSE_SECONDS_MAX))
        self._collect()

    def wait(self, seconds: float) -> None:
        """Time passes, and the sender goes on: it shows that it lives and looks at the table."""
        until = time.monotonic() + seconds
        while not self._stop.is_set() and (left := until - time.monotonic()) > 0:
            self._stop.wait(min(left, self._parts.sender.step()))

    def _collect(self) -> None:
        for item in self._parts.outbox.items(self._heard_up_to):
            assert item.answer is not None  # noqa: S101 - nothing is queued
            self._heard(Event(self.name, item.message, item.answer))
            self._heard_up_to = item.number
