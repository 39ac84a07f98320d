"""The load generator: many agents in one process, each sending its next request when the last is
answered. Everything is signed before the clock starts and read after it has stopped.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.processor import NOTHING, Seconds

WARM_UP = 2
"""Requests of each agent before the clock starts: connections, pools and caches are filled."""
_RECEIVED_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Load:
    """What came back, and how long it took."""

    seconds: float
    latencies: tuple[float, ...]
    answers: tuple[bytes, ...]
    """Every body, those of the warm-up too."""
    processor: Seconds = NOTHING
    """What all of it took, the warm-up too."""

    @property
    def requests_per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def latency_ms(self, percent: int) -> float:
        ranked = sorted(self.latencies)
        return 1000 * ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]


def drive(port: int, requests: Sequence[Sequence[bytes]]) -> Load:
    """Send each agent's requests over a connection of its own."""
    agents = [_Agent(port, place, mine) for place, mine in enumerate(requests)]
    try:
        warm_up = _answered(agents, WARM_UP)
        began = time.perf_counter()
        measured = _answered(agents, len(requests[0]) - WARM_UP)
        seconds = time.perf_counter() - began
    finally:
        for agent in agents:
            agent.connection.close()
    latencies = tuple(latency for latency, _ in measured)
    return Load(seconds, latencies, tuple(body for _, body in warm_up + measured))


def _answered(agents: Sequence["_Agent"], requests_each: int) -> list[tuple[float, bytes]]:
    """Let every agent send so many; the latency and the body of each answer."""
    found = []
    with selectors.EpollSelector() as selector:
        for agent in agents:
            agent.left = requests_each
            agent.send()
            selector.register(agent.connection, selectors.EVENT_READ, agent)
        while selector.get_map():
            for ready, _ in selector.select():
                agent = ready.data
                body = agent.receive()
                if body is None:
                    continue
                found.append((time.perf_counter() - agent.sent_at, body))
                if agent.left:
                    agent.send()
                else:
                    selector.unregister(agent.connection)
    return found


class _Agent:
    """One connection, from an address of its own: the server counts requests by address too."""

    def __init__(self, port: int, place: int, requests: Sequence[bytes]) -> None:
        address = (f"127.0.1.{place + 1}", 0)
        self.connection = socket.create_connection(("127.0.0.1", port), 30, address)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.left = 0
        self.sent_at = 0.0
        self._requests = deque(requests)
        self._received = b""

    def send(self) -> None:
        self.left -= 1
        self.sent_at = time.perf_counter()
        self.connection.sendall(self._requests.popleft())

    def receive(self) -> bytes | None:
        """The body, once it is whole."""
        self._received += self.connection.recv(_RECEIVED_AT_ONCE)
        head, ended, body = self._received.partition(b"\r\n\r\n")
        if not ended or len(body) < _content_length(head):
            return None
        if not head.startswith(b"HTTP/1.1 200 "):
            raise AssertionError(f"not answered: {self._received.decode()}")
        self._received = b""
        return body


def _content_length(head: bytes) -> int:
    _, _, rest = head.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n", 1)[0])
