"""Sets the demo's floor up as people would: the first accounts here, all else over HTTP."""

import sys
from pathlib import Path

from deploy.demo.accounts import engine_account
from deploy.demo.floor import AGENT_TABLE, GATEWAY, PLAYED, SYSTEMS, TABLES, agent_of
from deploy.demo.folder import DataFolder
from deploy.demo.people import FIRST, OTHERS, password, pin
from deploy.simulator.office import Office, TableWanted, confirmed, names, sign_in
from meter_server import bootstrap, settings
from meter_server.access import accounts
from meter_server.access.audit import Origin, Source
from meter_server.access.refusals import Denied, Kind
from meter_server.cli.client import Api
from meter_server.settings import Settings


def main(folder: DataFolder) -> None:
    chosen = settings.load()
    secret, digits = password(folder), pin(folder)
    _create_first(chosen, secret)
    server = f"http://{chosen.host}:{chosen.port}"
    manager, second, administrator = (sign_in(server, one.number, secret) for one in FIRST)
    for person in (manager, second):
        person.post("/v1/session/pin", {"password": secret, "pin": digits})
    known = names(administrator.every("/v1/staff"), "number")
    for one in OTHERS:
        if one.number not in known:
            body = {"number": one.number, "name": one.name, "role": one.role}
            code = confirmed(administrator, manager, "/v1/staff", body)["once"]["code"]
            chosen_secrets = {"password": secret, "pin": digits}
            accepted = {"number": one.number, "code": code, **chosen_secrets}
            Api(server).post("/v1/invitations", accepted)
    office = Office(server, manager, second)
    office.define_tables(TableWanted(*one) for one in TABLES)
    office.open_systems(SYSTEMS)
    office.enrol_gateway(folder.gateway, GATEWAY)
    for table in (AGENT_TABLE, *PLAYED):
        office.enrol_agent(folder.agent(agent_of(table)), agent_of(table), table)


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


if __name__ == "__main__":
    main(DataFolder(Path(sys.argv[1]), engine_account()))
