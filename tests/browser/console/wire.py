"""The wire between an agent and its server, which can be cut and mended."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        self._ends: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_cut = True
        self._end_all()

    def hold(self) -> None:
        """Half-open: what is sent is taken and goes nowhere."""
        self._flows.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    def close(self) -> None:
        self.cut()
        self._flows.set()
        self._listening.close()

    def _end_all(self) -> None:
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._join, args=[near], daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near:
            if self._is_cut:
                return
            with socket.create_connection(("127.0.0.1", self._server_port)) as far:
                self._ends |= {near, far}
                back = threading.Thread(target=self._carry, args=[far, near], daemon=True)
                back.start()
                self._carry(near, far)
                back.join()
                self._ends -= {near, far}

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(65536):
                self._flows.wait()
                other.sendall(said)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)


@contextmanager
def wired(server_port: int) -> Iterator[Wire]:
    wire = Wire(server_port)
    try:
        yield wire
    finally:
        wire.close()
