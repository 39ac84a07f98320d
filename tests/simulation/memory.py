"""Runs an agent over many messages and prints how much memory it holds: for its own process.

python -m tests.simulation.memory FOLDER MESSAGES
"""

import sys
from pathlib import Path
from random import Random

from meter_server.contract.checkpoints import Checkpoint, Head, first_previous, sign_checkpoint
from table_agent import running  # noqa: F401 - everything an agent has in memory
from table_agent.disk import SqliteDisk
from table_agent.outbox import Outbox
from table_agent.sender import Sender
from tests.simulation.tables import AT, DEVICE, EPOCH, METER, TABLE, Clock, Network, SimulatedServer
from tests.unit.contract.keys import KEY, ORIGIN, SIGNER


class Covering(Network):
    """A server that keeps a checkpoint elsewhere all the time."""

    def table(self) -> dict[str, object]:
        heads = self.server.books.heads
        head = Head(meter=METER, seq=len(heads), hash=heads[-1])
        checkpoint = Checkpoint(
            origin=ORIGIN, number=1, at=AT, previous=first_previous(ORIGIN), heads=(head,)
        )
        note = sign_checkpoint(checkpoint, SIGNER)
        return {"checkpoint": note, "meter": None, "at": AT}


def main(folder: Path, messages: int) -> None:
    chance, clock = Random(1), Clock()  # noqa: S311 - a test
    outbox = Outbox(SqliteDisk(folder / "outbox.sqlite"), DEVICE, EPOCH)
    network = Covering(SimulatedServer(), chance, clock, 0.0)
    sender = Sender(outbox, network, clock, KEY, chance)
    for number in range(1, messages + 1):
        outbox.put(AT, "1001", {"kind": "report-gates", "table": TABLE, "failing": []})
        outbox.tap(AT, {"tap": "seat", "seat": number % 9})
        while sender.step() == 0:
            pass
        clock.now += 3
        # The simulated server's own books are no part of the agent's memory.
        network.server.books.messages.pop(number - 1000, None)
        if number % (messages // 10) == 0:
            print(number, _resident_bytes(), flush=True)


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
