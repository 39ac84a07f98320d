"""Runs an agent over many messages and prints how much memory it holds: for a process of its own.

python -m tests.simulation.memory FOLDER MESSAGES
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from meter_server.contract.checkpoints import (
    Checkpoint,
    Covered,
    Head,
    first_previous,
    sign_checkpoint,
)
from meter_server.contract.receipts import Receipt, Result, receipt_text
from table_agent import running  # noqa: F401 - everything an agent has in memory
from table_agent.disk import SqliteDisk
from table_agent.link import Answered
from table_agent.outbox import Outbox
from table_agent.sender import Sender
from tests.simulation.tables import AT, DEVICE, EPOCH, METER, TABLE, Clock
from tests.unit.contract.keys import KEY, ORIGIN, SIGNER


class Forgetful:
    """A server that remembers only how many messages there were: what grows is the agent's."""

    last = 0

    def send(self, messages: Sequence[dict[str, Any]]) -> list[Answered]:
        return [self._answered(message["number"]) for message in messages]

    def _answered(self, number: int) -> Answered:
        self.last = number
        receipt = Receipt(
            origin=ORIGIN,
            device=DEVICE,
            epoch=EPOCH,
            number=number,
            message="0" * 64,
            result=Result.ACCEPTED,
            answer="0" * 64,
            at=AT,
            entries=1,
            meter=METER,
            meter_seq=number,
            head=f"{number:064x}",
        )
        return Answered({"answer": "accepted"}, False, receipt_text(receipt), receipt)

    def beat(self, receipt: str | None) -> int:  # noqa: ARG002 - it remembers none
        return self.last

    def table(self) -> dict[str, Any]:
        """With a checkpoint kept elsewhere all the time."""
        heads = (Head(meter=METER, seq=self.last, hash=f"{self.last:064x}"),) if self.last else ()
        checkpoint = Checkpoint(
            origin=ORIGIN,
            number=1,
            at=AT,
            previous=first_previous(ORIGIN),
            messages=Covered.of(""),
            heads=heads,
        )
        return {"checkpoint": sign_checkpoint(checkpoint, SIGNER), "meter": None, "at": AT}


def main(folder: Path, messages: int) -> None:
    clock = Clock()
    outbox = Outbox(SqliteDisk(folder / "outbox.sqlite"), DEVICE, EPOCH)
    sender = Sender(outbox, Forgetful(), clock, KEY, Random(1))  # noqa: S311 - a test
    for number in range(1, messages + 1):
        outbox.put(AT, "1001", {"kind": "report-gates", "table": TABLE, "failing": []})
        outbox.tap(AT, {"tap": "seat", "seat": number % 9})
        while sender.step() == 0:
            pass
        clock.now += 3
        if number % (messages // 10) == 0:
            print(number, _resident_bytes(), flush=True)


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
