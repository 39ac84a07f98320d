"""The network between one table and the server, which can be cut: real sockets.

Every simulated table has an address of its own on this machine, as it would have on a floor.
"""

import select
import socket
import threading
from collections import Counter, deque
from contextlib import suppress
from enum import StrEnum

_CHUNK_BYTES = 65_536
_SECONDS_MAX = 30.0


class Fate(StrEnum):
    """What becomes of one connection."""

    NOBODY_ANSWERS = "nobody answers"
    REQUEST_LOST = "the request is cut half-way"
    ANSWER_LOST = "the request is heard, and its answer is lost"


class Wire:
    def __init__(self, server: tuple[str, int], address: str) -> None:
        self._server, self._address = server, address
        self._planned: deque[Fate] = deque()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.cuts: Counter[Fate] = Counter()
        threading.Thread(target=self._serve, name=f"wire {address}", daemon=True).start()

    def cut(self, *fates: Fate) -> None:
        """What becomes of the next connections; those after them pass."""
        self._planned.extend(fates)

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            fate = self._planned.popleft() if self._planned else None
            with caller, suppress(OSError):
                self._carry(caller, fate)

    def _carry(self, caller: socket.socket, fate: Fate | None) -> None:
        if fate is not None:
            self.cuts[fate] += 1
        if fate is Fate.NOBODY_ANSWERS:
            return
        with socket.create_connection(
            self._server, _SECONDS_MAX, source_address=(self._address, 0)
        ) as server:
            _pump(caller, server, fate)


def _pump(caller: socket.socket, server: socket.socket, fate: Fate | None) -> None:
    """Both ways until one side ends it, or fate does."""
    while True:
        ready, _, _ = select.select([caller, server], [], [], _SECONDS_MAX)
        for source in ready:
            data = source.recv(_CHUNK_BYTES)
            if not data or (source is server and fate is Fate.ANSWER_LOST):
                return
            if source is caller and fate is Fate.REQUEST_LOST:
                server.sendall(data[: len(data) // 2])
                return
            (server if source is caller else caller).sendall(data)
        if not ready:
            return
