"""The wire between a tablet and its server, which a test can cut: real sockets."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from enum import Enum


class Mode(Enum):
    UP = "what is sent arrives, both ways"
    CUT = "nobody answers the call"
    NO_ANSWERS = "requests arrive, and no answer comes back"
    HALF_OPEN = "the call is answered, and then there is silence"


class Wire:
    def __init__(self, server_port: int) -> None:
        self.mode = Mode.UP
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()
        for one in self._open:
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(caller)
            if self.mode is Mode.CUT:
                caller.close()
            elif self.mode is not Mode.HALF_OPEN:
                threading.Thread(target=self._join, args=[caller], daemon=True).start()

    def _join(self, caller: socket.socket) -> None:
        answers = self.mode is Mode.UP
        server = socket.create_connection(("127.0.0.1", self._server_port))
        self._open.append(server)
        threading.Thread(target=_pump, args=[caller, server, True], daemon=True).start()
        _pump(server, caller, answers)
        caller.close()


def _pump(source: socket.socket, target: socket.socket, passing: bool) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            if passing:
                target.sendall(data)
            else:
                return  # The answer has come this far: the request was heard.


@contextlib.contextmanager
def wire(server_port: int) -> Iterator[Wire]:
    made = Wire(server_port)
    try:
        yield made
    finally:
        made.close()
