"""The demo's floor, set up as people would do it: the first accounts here, all else over HTTP."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from deploy.demo.accounts import engine_account
from deploy.demo.folder import DataFolder
from deploy.demo.parts import CLONE
from deploy.demo.people import FIRST, OTHERS, password, pin
from deploy.demo.processes import Program
from meter_server import bootstrap, settings
from meter_server.access import accounts
from meter_server.access.audit import Origin, Source
from meter_server.access.refusals import Denied, Kind
from meter_server.cli.client import Api
from meter_server.contract.device.enrolment import enrol
from meter_server.contract.device.identity import IDENTITY, Folder
from meter_server.settings import Settings

TABLES = (
    ("T1", "wsop", 9, 10_00, 500_00),
    ("T2", "wsop", 9, 10_00, 500_00),
    ("T3", "ultimate", 6, 25_00, 1_000_00),
    ("T4", "three-card", 7, 10_00, 500_00),
    ("T5", "three-card", 7, 25_00, 1_000_00),
    ("P1", "wsop", 9, 5_00, 100_00),
)
_TERMS = {"option": 1, "seed_dollars": 20_000}
SYSTEMS: tuple[dict[str, Any], ...] = (
    {"system": "main", **_TERMS, "cost_cents": 500, "tables": ["T1", "T2", "T4"]},
    {"system": "premium", **_TERMS, "cost_cents": 1_000, "tables": ["T3", "T5"]},
    {"system": "practice", **_TERMS, "cost_cents": 500, "tables": ["P1"], "training": True},
)
AGENT, AGENT_TABLE = "t2-a", "T2"
"""The table that is left for a person to play at."""
GATEWAY = "gateway-1"


def is_set_up(folder: DataFolder) -> bool:
    """Whether the last thing is there; what was cut short goes on where it stopped."""
    return (folder.gateway / IDENTITY).exists()


def set_up(folder: DataFolder) -> Program:
    """Runs to its end while the server runs."""
    return Program(
        name="the demo's floor",
        command=(sys.executable, "-m", "deploy.demo.floor", str(folder.path)),
        folder=CLONE,
        log=folder.log("floor"),
        is_ready=lambda: True,
    )


def main(folder: DataFolder) -> None:
    chosen = settings.load()
    secret, digits = password(folder), pin(folder)
    _create_first(chosen, secret)
    server = f"http://{chosen.host}:{chosen.port}"
    manager, second, administrator = (_sign_in(server, one.number, secret) for one in FIRST)
    for person in (manager, second):
        person.post("/v1/session/pin", {"password": secret, "pin": digits})
    known = {one["number"] for one in administrator.every("/v1/staff")}
    for one in OTHERS:
        if one.number not in known:
            body = {"number": one.number, "name": one.name, "role": one.role}
            code = _confirmed(administrator, manager, "/v1/staff", body)["once"]["code"]
            chosen_secrets = {"password": secret, "pin": digits}
            accepted = {"number": one.number, "code": code, **chosen_secrets}
            Api(server).post("/v1/invitations", accepted)
    _define_tables(manager)
    systems = _names(manager.every("/v1/systems"), "system")
    for body in SYSTEMS:
        if body["system"] not in systems:
            _confirmed(manager, second, "/v1/systems", body)
    if not (folder.agent(AGENT) / IDENTITY).exists():
        code = _one_time_code(manager, second, AGENT, AGENT_TABLE)
        enrol(Folder(folder.agent(AGENT), "table-agent"), server, AGENT, code, at_table=True)
    code = _one_time_code(manager, second, GATEWAY, None)
    enrol(Folder(folder.gateway, "signage"), server, GATEWAY, code, at_table=False)


def _create_first(chosen: Settings, secret: str) -> None:
    """On the server's own machine, as 'meter-server staff create-first' does."""
    database = bootstrap.database(chosen)
    database.open()
    try:
        desk = bootstrap.desk(chosen, database)
        origin = Origin(Source.MACHINE, "demo", "demo")
        for one in FIRST:
            try:
                accounts.create_first(desk, origin, one.number, one.name, one.role, secret)
            except Denied as denied:
                if denied.refusal.kind not in (Kind.ALREADY_EXISTS, Kind.FIRST_ACCOUNTS_EXIST):
                    raise
    finally:
        database.close()


def _sign_in(server: str, number: str, secret: str) -> Api:
    body = {"number": number, "password": secret, "bearer": True}
    return Api(server, Api(server).post("/v1/session", body)["token"])


def _confirmed(proposer: Api, second: Api, path: str, body: object) -> Any:
    proposal = proposer.post(path, body)
    return second.post(f"/v1/proposals/{proposal['id']}/confirmation")


def _one_time_code(manager: Api, second: Api, device: str, table: str | None) -> str:
    kind = "gateway" if table is None else "agent"
    body = {"device": device, "kind": kind, "table": table}
    return str(_confirmed(manager, second, "/v1/devices", body)["once"]["code"])


def _define_tables(manager: Api) -> None:
    known = _names(manager.every("/v1/tables"), "table")
    for table, game, seats, minimum, maximum in TABLES:
        if table not in known:
            limits = {"minimum_cents": minimum, "maximum_cents": maximum}
            manager.command("/v1/tables", {"table": table, "game": game, "seats": seats, **limits})
            manager.command(f"/v1/tables/{table}/opening")


def _names(items: Iterable[dict[str, Any]], key: str) -> set[str]:
    return {one[key] for one in items}


if __name__ == "__main__":
    main(DataFolder(Path(sys.argv[1]), engine_account()))
