"""Devices on a real floor: enrolled through the API, talking through the agent's own link."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from meter_server.contract.device import enrolment
from meter_server.contract.device.identity import Folder, Identity
from meter_server.contract.device.link import Json
from table_agent.link import Answered, Link
from tests.integration.office import BETS, PIN, ROLES, Office

DEALER = ROLES["dealer"]
AREA_MANAGER = ROLES["area-manager"]


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex[:8]}"


def open_table(office: Office, game: str = "wsop") -> str:
    """A table of its own, open, in no system."""
    manager, table = office.of_role("assistant-casino-manager"), unique("T")
    defined = manager.command("/v1/tables", {"table": table, "game": game, "seats": 7, **BETS})
    assert defined.status == 200, defined.text
    assert manager.command(f"/v1/tables/{table}/opening").status == 200
    return table


_costs = count(101)


def open_system(
    office: Office, tables: list[str], *, training: bool = False, cost_cents: int | None = None
) -> tuple[str, int]:
    """A system of a cost of its own, with these tables; gives its name and cost in cents."""
    system, cost = unique("S"), cost_cents or next(_costs)
    body = {
        "system": system,
        "option": 1,
        "seed_dollars": 10_000,
        "cost_cents": cost,
        "tables": tables,
        "training": training,
    }
    opened = office.of_role("assistant-casino-manager").confirmed_by(
        office.colleague("assistant-casino-manager"), "/v1/systems", body
    )
    assert opened.status == 200, opened.text
    return system, cost


def one_time_code(office: Office, device: str, table: str | None) -> str:
    kind = "gateway" if table is None else "agent"
    confirmed = office.of_role("area-manager").confirmed_by(
        office.colleague("area-manager"),
        "/v1/devices",
        {"device": device, "kind": kind, "table": table},
    )
    assert confirmed.status == 200, confirmed.text
    return str(confirmed.json()["once"]["code"])


@dataclass
class Agent:
    """A table agent that has no outbox yet: it counts its own messages."""

    folder: Folder
    path: Path
    office: Office
    last_number: int = 0
    rounds: "count[int]" = field(default_factory=lambda: count(1))

    @classmethod
    def enrolled(cls, office: Office, path: Path, device: str, table: str) -> "Agent":
        folder = Folder(path, "table-agent")
        code = one_time_code(office, device, table)
        enrolment.enrol(folder, f"http://127.0.0.1:{office.port}", device, code, at_table=True)
        return cls(folder, path, office)

    @property
    def identity(self) -> Identity:
        return self.folder.identity()

    @property
    def link(self) -> Link:
        return Link(self.identity, self.folder.private_key(self.identity.key))

    def sign_on(self, number: str = DEALER) -> Json:
        return self.link.post("/v1/sign-on", {"number": number, "pin": PIN})

    def authorise(self, action: str, number: str = AREA_MANAGER) -> str:
        body = {"number": number, "pin": PIN, "action": action}
        return str(self.link.post("/v1/authorise", body)["grant"])

    def next_round(self) -> str:
        return f"{self.identity.device}/{self.identity.epoch}/{next(self.rounds)}"

    def message(
        self, kind: str, *, actor: str = DEALER, grant: str | None = None, **more: Any
    ) -> Json:
        self.last_number += 1
        return message(self.last_number, kind, actor=actor, grant=grant, **more)

    def do(self, kind: str, **more: Any) -> Answered:
        [answered] = self.link.send([self.message(kind, **more)])
        return answered


def message(
    number: int, kind: str, *, actor: str = DEALER, grant: str | None = None, **more: Any
) -> Json:
    at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    command = {"kind": kind, **more}
    return {"number": number, "agent_at": at, "actor": actor, "grant": grant, "command": command}


def gates(number: int, table: str, *failing: str, **more: Any) -> Json:
    """The smallest message there is."""
    return message(number, "report-gates", table=table, failing=list(failing), **more)
