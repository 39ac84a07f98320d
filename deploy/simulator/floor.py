"""The tables and systems that an evening needs, set up by the people of the back office."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from deploy.simulator.office import Office, TableWanted
from meter_server.cli.client import Api
from meter_server.domain.rulebook.games import GAMES

SYSTEMS_MAX = 3
_GAMES = tuple(GAMES.values())
_BETS = {"minimum_cents": 10_00, "maximum_cents": 500_00}
_COST_STEP_CENTS = 100


@dataclass(frozen=True)
class Wanted:
    """So many tables of all games, in systems of different costs, named after their number: a
    second evening of the same size finds them."""

    tables: Sequence[str]
    systems_count: int

    def set_up(self, office: Office, folder_of: Callable[[str], Path]) -> list[Path]:
        """Whatever is not there yet; gives the agents' folders."""
        office.define_tables(
            TableWanted(table, game.key.value, game.seats_max, **_BETS)
            for place, table in enumerate(self.tables)
            for game in [_GAMES[(place + place // self.systems_count) % len(_GAMES)]]
        )
        office.open_systems(self._systems(office.manager))
        folders = [folder_of(table.lower()) for table in self.tables]
        for table, folder in zip(self.tables, folders, strict=True):
            office.enrol_agent(folder, table.lower(), table)
        return folders

    def _systems(self, api: Api) -> list[dict[str, object]]:
        """Their costs differ from all others; option and seed are everybody's."""
        known = [one for one in api.every("/v1/systems") if not one["training"]]
        taken = {one["cost_cents"] for one in known}
        terms = known[0] if known else {"option": 1, "seed_dollars": 20_000}
        costs = (cost for cost in count(_COST_STEP_CENTS, _COST_STEP_CENTS) if cost not in taken)
        return [
            {
                "system": f"sim-{len(self.tables)}-{number + 1}",
                "option": terms["option"],
                "seed_dollars": terms["seed_dollars"],
                "cost_cents": cost,
                "tables": list(self.tables[number :: self.systems_count]),
            }
            for number, cost in zip(range(self.systems_count), costs, strict=False)
        ]


def wanted(tables: int) -> Wanted:
    names = [f"S{tables}-{place:02}" for place in range(1, tables + 1)]
    return Wanted(names, min(SYSTEMS_MAX, max(1, tables // 2)))
