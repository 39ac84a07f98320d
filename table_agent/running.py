"""The agent as it runs on a table: one process, its threads, and the local console."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from meter_server.contract.canonical import canonical_json
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from table_agent.agent import Agent
from table_agent.clock import SteadyClock
from table_agent.disk import SqliteDisk
from table_agent.link import Link
from table_agent.outbox import Outbox
from table_agent.people import People
from table_agent.sender import Sender
from table_agent.sensors import Sensor

OUTBOX = "outbox.sqlite"
LINK_SECONDS_MAX = 8.0
"""A half-open connection is given up after this long, and the same is sent again."""
PEOPLE_SECONDS_MAX = 15.0


@dataclass(frozen=True)
class Parts:
    outbox: Outbox
    sender: Sender
    agent: Agent
    woken: threading.Event


def open_outbox(folder: Folder) -> Outbox:
    identity = folder.identity()
    return Outbox(SqliteDisk(folder.path / OUTBOX), identity.device, identity.epoch)


def join(folder: Folder) -> Parts:
    """Join the real parts; nothing runs yet."""
    identity = folder.identity()
    key = folder.private_key(identity.key)
    outbox, clock, woken = open_outbox(folder), SteadyClock(), threading.Event()
    link = Link(identity, key, LINK_SECONDS_MAX)
    sender = Sender(outbox, link, clock, identity.verifier, SystemRandom())
    people = People(outbox, Link(identity, key, PEOPLE_SECONDS_MAX))
    agent = Agent(identity, outbox, sender, people, clock, woken.set)
    return Parts(outbox, sender, agent, woken)


def start(parts: Parts, sensor: Sensor) -> None:
    """Begin to send and to sense; both end with the process."""
    threading.Thread(target=_send, args=[parts], name="sender", daemon=True).start()
    threading.Thread(target=_sense, args=[parts.agent, sensor], name="sensor", daemon=True).start()


def _send(parts: Parts) -> None:
    while True:
        parts.woken.clear()
        pause = parts.sender.step()
        parts.woken.wait(pause)


def _sense(agent: Agent, sensor: Sensor) -> None:
    for seats in sensor.readings():
        try:
            agent.tap(canonical_json({"tap": "sensed", "seats": sorted(seats)}))
        except DeviceError:
            continue  # A round is open: what is sensed then changes nothing.


@contextmanager
def alone(folder: Folder) -> Iterator[None]:
    """One sender for each device: two would give one number to two messages."""
    folder.identity()  # Where there is none, that is what is told.
    path = folder.path / "agent.lock"
    with _opened(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DeviceError(
                f"An agent runs with {folder.path} already: stop it first, or use its console."
            ) from None
        yield


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DeviceError(f"{path} cannot be written ({error.strerror}).") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)
