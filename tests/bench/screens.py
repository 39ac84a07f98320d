"""Thousands of screens in one process: `python -m tests.bench.screens PORT SCREENS SECONDS TABLES`.

Each is a real stream over a real socket. The value it is shown is the moment at which it was
published, by the clock that all processes of a machine share: what it reads is how long it took.
One loop over epoll reads them all, so that the gateway is what is measured. Prints one JSON object.
"""

import json
import resource
import select
import socket
import sys
import time
from array import array
from dataclasses import dataclass

_VALUE = b'"value_micros":'
_END = b"\n\n"
_AT_ONCE = 200
_FIRST_PICTURES_SECONDS = 2
_PAUSE_SECONDS = 0.002
"""Between two looks, so that the gateway is not held up by waking us at every write: other machines
would do that to screens. It is part of what is measured."""


@dataclass(slots=True)
class Screen:
    stream: socket.socket
    unread: bytes = b""
    last_us: int = 0
    heard: int = 0
    went_back: int = 0

    def read(self, now_us: int) -> int | None:
        """How long the newest frame took, if one came."""
        self.unread += self.stream.recv(65_536)
        if not self.unread.endswith(_END):
            return None
        events, self.unread = self.unread, b""
        place = events.rfind(_VALUE) + len(_VALUE)
        if place < len(_VALUE):
            return None
        published_us = int(events[place : events.index(b",", place)])
        first, self.heard = self.heard == 0, self.heard + 1
        if published_us < self.last_us:
            self.went_back += 1
        if published_us <= self.last_us:
            return None
        self.last_us = published_us
        return None if first else now_us - published_us  # the first picture is as old as it is


class Floor:
    def __init__(self) -> None:
        self.screens: dict[int, Screen] = {}
        self._epoll = select.epoll()

    def connect(self, port: int, view: str) -> None:
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(f"GET /v1/stream?{view} HTTP/1.1\r\nHost: gateway\r\n\r\n".encode())
        stream.setblocking(False)
        self.screens[stream.fileno()] = Screen(stream)
        self._epoll.register(stream, select.EPOLLIN)

    def look(self, seconds: float) -> "array[int]":
        """How long each frame took that came to a screen, in microseconds."""
        delays_us: array[int] = array("q")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(_PAUSE_SECONDS)
            for number, _ in self._epoll.poll(0, len(self.screens)):
                taken_us = self.screens[number].read(time.monotonic_ns() // 1000)
                if taken_us is not None:
                    delays_us.append(taken_us)
        return delays_us


def look(port: int, screens: int, seconds: float, tables: int) -> dict[str, object]:
    floor = Floor()
    for number in range(screens):
        floor.connect(port, "meters=M" if number % 10 == 0 else f"table=T{number % tables}")
        if number % _AT_ONCE == 0:
            floor.look(0.01)
    floor.look(_FIRST_PICTURES_SECONDS)
    delays_us = sorted(floor.look(seconds))
    looking = floor.screens.values()
    return {
        "screens": len(looking),
        "frames": len(delays_us),
        "fewest_frames": min(screen.heard for screen in looking),
        "went_back": sum(screen.went_back for screen in looking),
        "p50_ms": delays_us[len(delays_us) // 2] / 1000,
        "p99_ms": delays_us[len(delays_us) * 99 // 100] / 1000,
        "max_ms": delays_us[-1] / 1000,
        "own_cpu_seconds": time.process_time(),
    }


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, screens, seconds, tables = map(int, sys.argv[1:])
    print(json.dumps(look(port, screens, seconds, tables)))


if __name__ == "__main__":
    main()
