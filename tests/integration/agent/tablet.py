"""A tablet on a real floor: the agent's own parts, tapped like a console and stepped by hand."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meter_server.contract.device import enrolment
from meter_server.contract.device.identity import Folder
from table_agent import running
from table_agent.agent import Declined
from table_agent.running import Parts
from table_agent.sender import LinkState
from tests.integration.devices.floor import DEALER, one_time_code, open_system, open_table, unique
from tests.integration.office import PIN, ROLES, Office

PROGRAM = "table-agent"


def enrolled(office: Office, path: Path, table: str) -> Folder:
    folder, device = Folder(path, PROGRAM), unique("tab")
    code = one_time_code(office, device, table)
    enrolment.enrol(folder, f"http://127.0.0.1:{office.port}", device, code, at_table=True)
    return folder


def approval(role: str) -> dict[str, str]:
    return {"number": ROLES[role], "pin": PIN}


@dataclass
class Tablet:
    folder: Folder
    parts: Parts

    @classmethod
    def at_a_table(
        cls, office: Office, path: Path, game: str = "wsop", *, dealing: bool = True
    ) -> "Tablet":
        table = open_table(office, game)
        open_system(office, [table])
        folder = enrolled(office, path, table)
        tablet = cls(folder, running.join(folder))
        tablet.exchange()
        if dealing:
            tablet.sign_on()
        return tablet

    def restarted(self) -> "Tablet":
        return Tablet(self.folder, running.join(self.folder))

    def exchange(self) -> None:
        """Steps until all is recorded and the table was looked at since."""
        sender, outbox = self.parts.sender, self.parts.outbox
        sender.look()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            pause = sender.step()
            if pause and sender.status.state is LinkState.UP and not outbox.queued_count():
                return
            time.sleep(min(pause, 0.5) if sender.status.state is not LinkState.UP else 0)
        raise AssertionError(f"not recorded in time: {sender.status}")

    def tap(self, tap: str, **more: Any) -> None:
        body: dict[str, Any] = {"tap": tap, **more}
        if tap in PLACED:
            body.setdefault("place", self.state["place"])
        self.parts.agent.tap(json.dumps(body).encode())

    def declined(self, tap: str, **more: Any) -> str:
        try:
            self.tap(tap, **more)
        except Declined as declined:
            return str(declined)
        raise AssertionError(f"{tap} was done")

    def do(self, tap: str, **more: Any) -> dict[str, Any]:
        """Tapped and recorded: the state afterwards."""
        self.tap(tap, **more)
        self.exchange()
        return self.state

    def sign_on(self, number: str = DEALER) -> None:
        self.tap("sign-on", number=number, pin=PIN)

    def register(self, *seats: int) -> dict[str, Any]:
        for seat in set(seats) ^ set(self.state["chosen"]):
            self.tap("seat", seat=seat, lit=seat in seats)
        return self.do("register")

    def hand(self, seat: int, hand: str | None = None, cards: str = "") -> None:
        self.tap("hand", seat=seat, hand=hand, cards=cards, folded=False)

    def last_entries(self) -> list[str]:
        answer = self.parts.outbox.items()[-1].answer
        assert answer is not None
        return [one["kind"] for one in answer["entries"]]

    @property
    def cost_cents(self) -> int:
        told = self.parts.sender.told
        assert told is not None
        return int(told["meter"]["terms"]["cost_cents"])

    @property
    def state(self) -> dict[str, Any]:
        shown: dict[str, Any] = json.loads(json.dumps(self.parts.agent.shown()))
        return shown


PLACED = {
    "seat",
    "register",
    "play-without-jackpot",
    "hand",
    "shared-cards",
    "settle-despite",
    "clear",
    "no-winners",
    "record",
    "declare",
    "correct-bonus",
}
