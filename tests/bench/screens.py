"""Thousands of screens in one process: `python -m tests.bench.screens PORT SCREENS SECONDS TABLES`.

Each is a real stream over a real socket. The value it is shown is the moment at which it was
published, by the clock that all processes of a machine share: what it reads is how long it took.
Prints one JSON object.
"""

import asyncio
import json
import resource
import sys
import time
from array import array

_VALUE = b'"value_micros":'
_AT_ONCE = 200


class Screen(asyncio.Protocol):
    def __init__(self, request: bytes, delays_us: "array[int]") -> None:
        self._request = request
        self.delays_us = delays_us
        self.last_us = 0
        self.heard = 0
        self.went_back = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now_us = time.monotonic_ns() // 1000
        place = data.rfind(_VALUE)
        if place < 0:
            return
        place += len(_VALUE)
        end = place
        while data[end : end + 1].isdigit():
            end += 1
        published_us = int(data[place:end])
        self.heard += 1
        if published_us < self.last_us:
            self.went_back += 1
        elif published_us > self.last_us:
            if self.last_us:  # the first picture is as old as it is
                self.delays_us.append(now_us - published_us)
            self.last_us = published_us


async def look(port: int, screens: int, seconds: float, tables: int) -> dict[str, object]:
    loop = asyncio.get_running_loop()
    delays: array[int] = array("q")
    looking: list[Screen] = []

    async def connect(number: int) -> None:
        request = (
            f"GET /v1/stream?table=T{number % tables} HTTP/1.1\r\nHost: gateway\r\n\r\n".encode()
        )
        _, screen = await loop.create_connection(lambda: Screen(request, delays), "127.0.0.1", port)
        looking.append(screen)

    for first in range(0, screens, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, screens))
        await asyncio.gather(*(connect(number) for number in numbers))
    await asyncio.sleep(2)  # the first pictures
    del delays[:]
    await asyncio.sleep(seconds)
    measured = sorted(delays)
    for screen in looking:
        screen.transport.abort()
    return {
        "screens": len(looking),
        "frames": len(measured),
        "fewest_frames": min(screen.heard for screen in looking),
        "went_back": sum(screen.went_back for screen in looking),
        "p50_ms": measured[len(measured) // 2] / 1000,
        "p99_ms": measured[len(measured) * 99 // 100] / 1000,
        "max_ms": measured[-1] / 1000,
    }


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, screens, seconds, tables = map(int, sys.argv[1:])
    print(json.dumps(asyncio.run(look(port, screens, seconds, tables))))


if __name__ == "__main__":
    main()
