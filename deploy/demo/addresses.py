"""Where the demo's own pages are: the guide for a newcomer, and the console of the free table."""

import os
from dataclasses import dataclass

from deploy.demo.errors import CannotRunError

GUIDE_PORT = "PRIZE_METER_PORT"
CONSOLE_PORT = "PRIZE_METER_CONSOLE_PORT"
_LOOPBACK = "127.0.0.1"
_PORT_MAX = 65_535


@dataclass(frozen=True)
class Addresses:
    server: str
    worker: str
    signs: str
    guide_port: int
    console_port: int

    @property
    def guide(self) -> str:
        return f"http://{_LOOPBACK}:{self.guide_port}/"

    @property
    def console(self) -> str:
        return f"http://{_LOOPBACK}:{self.console_port}/"


def port(variable: str, default: int) -> int:
    written = os.environ.get(variable) or str(default)
    if not written.isdecimal() or not 0 < int(written) <= _PORT_MAX:
        raise CannotRunError(f"{variable} is '{written}': name a port from 1 to {_PORT_MAX}.")
    return int(written)
