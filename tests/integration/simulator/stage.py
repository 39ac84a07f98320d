"""A server with people and no floor yet, and evenings at simulated tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.simulator import books
from deploy.simulator.books import Compared
from deploy.simulator.dealer import Staff
from deploy.simulator.evening import Evening, Plan
from deploy.simulator.floor import wanted
from deploy.simulator.ledger import System
from deploy.simulator.office import Office, sign_in
from meter_server.cli.client import Api
from meter_server.contract.device.identity import Folder
from tests.integration.inside import add_people
from tests.integration.office import COLLEAGUES, PASSWORD, PIN, ROLES
from tests.integration.programs import Environment, migrate, run, serving

MANAGER = "assistant-casino-manager"
STAFF = Staff(
    dealers=(ROLES["dealer"], COLLEAGUES["dealer"]),
    supervisors={role: number for role, number in ROLES.items() if role != "dealer"},
    pin=PIN,
)


@dataclass(frozen=True)
class Stage:
    office: Office
    environment: Environment
    folder: Path
    server_key: Path

    def play(self, plan: Plan, tables: int) -> tuple[Evening, list[System], Compared]:
        asked = wanted(tables)
        folders = asked.set_up(self.office, lambda device: self.folder / "agents" / device)
        evening = Evening(self.office.server, plan, STAFF)
        with evening.at_the_tables([Folder(path, "table-agent") for path in folders]):
            before = books.systems_of(self.office.manager, asked.tables)
            evening.play()
            compared = self.compare(evening, before)
        return evening, before, compared

    def compare(self, evening: Evening, before: list[System]) -> Compared:
        return books.compare(self.manager(), before, evening.events, evening.readings)

    def manager(self) -> Api:
        """Signed in anew: an evening is longer than a session that nobody uses."""
        return sign_in(self.office.server, ROLES[MANAGER], PASSWORD)


@contextmanager
def stage(env: Environment, folder: Path) -> Iterator[Stage]:
    migrate(env)
    people = {number: role for each in (ROLES, COLLEAGUES) for role, number in each.items()}
    add_people(env["DATABASE_URL"], people)
    key = folder / "signing-key"
    created = run(env, "keys", "create", "casino.example/prize-meter", str(key))
    assert created.returncode == 0, created.stderr
    served = {**env, "METER_SERVER_SIGNING_KEY_FILE": str(key)}
    with serving(served, folder / "server.log") as port:
        server = f"http://127.0.0.1:{port}"
        managers = (sign_in(server, each[MANAGER], PASSWORD) for each in (ROLES, COLLEAGUES))
        yield Stage(Office(server, *managers), served, folder, key)
