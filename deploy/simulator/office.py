"""The back office as its people use it, over HTTP: what a floor needs before anybody plays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meter_server.cli.client import Api
from meter_server.contract.device.enrolment import enrol
from meter_server.contract.device.identity import IDENTITY, Folder


@dataclass(frozen=True)
class TableWanted:
    table: str
    game: str
    seats: int
    minimum_cents: int
    maximum_cents: int


@dataclass(frozen=True)
class Office:
    """Two who may do everything together, one proposing and the other confirming."""

    server: str
    manager: Api
    second: Api

    def define_tables(self, wanted: Iterable[TableWanted]) -> None:
        known = names(self.manager.every("/v1/tables"), "table")
        for one in wanted:
            if one.table not in known:
                self.manager.command("/v1/tables", vars(one))
                self.manager.command(f"/v1/tables/{one.table}/opening")

    def open_systems(self, wanted: Sequence[dict[str, Any]]) -> None:
        known = names(self.manager.every("/v1/systems"), "system")
        for body in wanted:
            if body["system"] not in known:
                confirmed(self.manager, self.second, "/v1/systems", body)

    def enrol_agent(self, path: Path, device: str, table: str) -> None:
        """At its table, unless it is there already."""
        if not (path / IDENTITY).exists():
            code = self._one_time_code(device, "agent", table)
            enrol(Folder(path, "table-agent"), self.server, device, code, at_table=True)

    def enrol_gateway(self, path: Path, device: str) -> None:
        if not (path / IDENTITY).exists():
            code = self._one_time_code(device, "gateway", None)
            enrol(Folder(path, "signage"), self.server, device, code, at_table=False)

    def _one_time_code(self, device: str, kind: str, table: str | None) -> str:
        body = {"device": device, "kind": kind, "table": table}
        return str(confirmed(self.manager, self.second, "/v1/devices", body)["once"]["code"])


def sign_in(server: str, number: str, password: str) -> Api:
    body = {"number": number, "password": password, "bearer": True}
    return Api(server, Api(server).post("/v1/session", body)["token"])


def confirmed(proposer: Api, second: Api, path: str, body: object) -> Any:
    proposal = proposer.post(path, body)
    return second.post(f"/v1/proposals/{proposal['id']}/confirmation")


def names(items: Iterable[dict[str, Any]], key: str) -> set[str]:
    return {one[key] for one in items}
