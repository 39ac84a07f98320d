"""Where the seats with a Jackpot wager come from, besides the dealer's finger.

Equipment that lights seats reports them as lines: the numbers of all seats that hold a wager now,
``1 3 6``, and an empty line for none. A serial port and a keyboard wedge speak the same.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Protocol

import serial

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.messages import SEATS_MAX

_LINE = re.compile(r"[1-9](?:[ ,]+[1-9])*|")
_BAUD = 9600
_SIMULATED_SECONDS = 3.0


class Sensor(Protocol):
    def readings(self) -> Iterator[frozenset[int]]:
        """All seats with a wager, each time the equipment reports; ends when the equipment does."""


class Touch:
    """No equipment: the dealer touches the seats."""

    def readings(self) -> Iterator[frozenset[int]]:
        return iter(())


class SerialSensor:
    """A serial port, by its device name or pyserial's URL."""

    def __init__(self, port: str, baud: int = _BAUD) -> None:
        try:
            self._port = serial.serial_for_url(port, baudrate=baud)
        except (serial.SerialException, ValueError) as error:
            raise DeviceError(f"The sensor at {port} cannot be opened ({error}).") from None

    def readings(self) -> Iterator[frozenset[int]]:
        while line := self._port.readline():
            yield from _read(line.decode("ascii", errors="replace"))


class WedgeSensor:
    """Equipment that types like a keyboard, on a terminal device of its own."""

    def __init__(self, path: Path) -> None:
        try:
            self._lines = path.open(encoding="ascii", errors="replace")
        except OSError as error:
            raise DeviceError(f"The sensor at {path} cannot be read ({error.strerror}).") from None

    def readings(self) -> Iterator[frozenset[int]]:
        with self._lines as lines:
            for line in lines:
                yield from _read(line)


class Simulator:
    """Players who come and go, for training and for tests."""

    def __init__(self, seed: int, seconds: float = _SIMULATED_SECONDS) -> None:
        self._chance = Random(seed)  # noqa: S311 - nobody's money depends on it
        self._seconds = seconds

    def readings(self) -> Iterator[frozenset[int]]:
        seats: frozenset[int] = frozenset({2, 3, 5})
        while True:
            yield seats
            time.sleep(self._seconds)
            seats ^= {self._chance.randint(1, SEATS_MAX)}


def sensor(described: str) -> Sensor:
    """``touch``, ``serial:/dev/ttyUSB0``, ``wedge:/dev/ttyACM0`` or ``simulator:7``."""
    kind, _, where = described.partition(":")
    if kind == "touch" and not where:
        return Touch()
    if kind == "serial" and where:
        return SerialSensor(where)
    if kind == "wedge" and where:
        return WedgeSensor(Path(where))
    if kind == "simulator" and re.fullmatch("[0-9]{1,9}", where):
        return Simulator(int(where))
    raise DeviceError(
        f"There is no sensor '{described}': use touch, serial:PORT, wedge:FILE or simulator:NUMBER."
    )


def _read(line: str) -> Iterator[frozenset[int]]:
    """A line that is damaged says nothing, and the next one says everything again."""
    line = line.strip()
    if _LINE.fullmatch(line):
        yield frozenset(int(seat) for seat in re.findall("[1-9]", line))
