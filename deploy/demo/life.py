"""The demo's floor comes alive: tables play, a notice runs, and a prize waits for a manager."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from signal import SIGTERM, signal
from typing import Any

from deploy.demo import people, staffing
from deploy.demo.accounts import engine_account
from deploy.demo.floor import PLAYED, agent_of
from deploy.demo.folder import DataFolder
from deploy.simulator.dealer import Rates, Stacked
from deploy.simulator.dealing import Show
from deploy.simulator.evening import Evening, Plan, Shows
from deploy.simulator.office import Office, confirmed, sign_in
from meter_server import settings
from meter_server.cli.client import Api, Unauthorised
from meter_server.cli.output import Refusal
from meter_server.contract.device.identity import Folder

SPEED = 20.0
"""Six tables then play little more than one round a second: a look must not heat the machine."""
RATES = Rates(irregular=0.03, cut=0.01, restart=0.005, new_dealer=0.02)
WINNER = ("T4", 2)
"""Which table deals a straight flush, in which round, so that a prize is pending."""
MOVING, BETWEEN = "T7", ("grand", "premium")
"""The table that a notice announces to move, there and back."""
_LOOK_SECONDS = 30.0


def main(folder: DataFolder) -> None:
    chosen = settings.load()
    server = f"http://{chosen.host}:{chosen.port}"
    secret = people.password(folder)
    seed = SystemRandom().randrange(2**32)
    plan = Plan(None, None, SPEED, seed, RATES, _show(_office(server, secret).manager))
    evening = Evening(server, plan, staffing.staff(folder))
    signal(SIGTERM, lambda *_: evening.stop.set())
    announcing = [server, secret, evening.stop]
    threading.Thread(target=_keep_announcing, args=announcing, daemon=True).start()
    agents = [Folder(folder.agent(agent_of(table)), "table-agent") for table in PLAYED]
    with evening.at_the_tables(agents):
        evening.play()


def _show(api: Api) -> Shows:
    """A straight flush, unless a prize is pending already."""
    if api.every("/v1/prizes", state="pending"):
        return {}
    table, number = WINNER
    return {(PLAYED.index(table), number): Stacked(Show.STRAIGHT_FLUSH)}


def _keep_announcing(server: str, secret: str, stop: threading.Event) -> None:
    """One notice after the other; what a person has announced meanwhile counts too."""
    office = None
    while not stop.is_set():
        try:
            office = office or _office(server, secret)
            announce(office)
        except Unauthorised:
            office = None  # Sessions end after some hours.
            continue
        except Refusal as refusal:
            print(refusal, flush=True)  # Into the log: a person may have changed the floor.
        stop.wait(_LOOK_SECONDS)


def _office(server: str, secret: str) -> Office:
    manager, second = (sign_in(server, one.number, secret) for one in people.FIRST[:2])
    return Office(server, manager, second)


def announce(office: Office) -> None:
    """That the moving table goes to the other system, unless a notice runs already."""
    notices = office.manager.every("/v1/notices")
    if any(one["state"] == "drafted" for one in notices):
        return
    table = office.manager.get(f"/v1/tables/{MOVING}")
    target = BETWEEN[table["system"] == BETWEEN[0]]
    name = _unused(notices)
    change = {"kind": "transfer-table", "table": MOVING, "system": target}
    confirmed(office.manager, office.second, "/v1/notices", {"notice": name, "change": change})
    for sign in office.manager.get(f"/v1/notices/{name}")["signs"]:
        body = {"table": sign["table"], "reason": "The sign of the demo shows it."}
        office.manager.command(f"/v1/notices/{name}/displays", body)


def _unused(notices: Sequence[dict[str, Any]]) -> str:
    return f"move-{MOVING.lower()}-{len(notices) + 1}"


if __name__ == "__main__":
    main(DataFolder(Path(sys.argv[1]), engine_account()))
