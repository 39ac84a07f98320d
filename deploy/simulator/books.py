"""The server's books of the simulated systems, asked for over HTTP, and the comparison."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deploy.simulator.ledger import Ledger, System, summed
from deploy.simulator.table import Event
from meter_server.cli.client import Api
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.rulebook.terms import Terms


@dataclass(frozen=True)
class Line:
    """One figure, from both sides."""

    system: str
    what: str
    floor: int
    server: int
    micros: bool = False

    @property
    def equal(self) -> bool:
        return self.floor == self.server


def systems_of(api: Api, tables: Sequence[str]) -> list[System]:
    """Those that these tables play for, as they stand now."""
    games = {one["table"]: GameKey(one["game"]) for one in api.every("/v1/tables")}
    return [
        _system(api, one, {table: games[table] for table in one["tables"]})
        for one in api.every("/v1/systems")
        if set(one["tables"]) & set(tables)
    ]


def _system(api: Api, shown: dict[str, object], games: dict[str, GameKey]) -> System:
    name = str(shown["system"])
    read = api.get(f"/v1/systems/{name}/reading", seq=str(shown["seq"]))
    terms = Terms(*(int(str(shown[field])) for field in ("option", "seed_dollars", "cost_cents")))
    return System(name, terms, read["value_micros"], read["epoch"], read["seq"], games)


@dataclass(frozen=True)
class Compared:
    ledgers: dict[str, Ledger]
    costs_micros: dict[str, int]
    lines: list[Line]
    others: list[str]
    """Systems that somebody else has moved meanwhile: their sums cannot be ours."""

    @property
    def equal(self) -> bool:
        return all(line.equal for line in self.lines)


def compare(
    api: Api, before: Sequence[System], events: Sequence[Event], readings: Readings
) -> Compared:
    """Ours, summed up again, against the server's."""
    tables = [table for one in before for table in one.games]
    after = {one.name: one for one in systems_of(api, tables)}
    ledgers = {one.name: summed(one, events, readings) for one in before}
    others = [
        one.name for one in before if after[one.name].seq != one.seq + ledgers[one.name].entries
    ]
    prizes = _prizes(api)
    lines = [
        line
        for one in before
        if one.name not in others
        for line in _lines(one, ledgers[one.name], after[one.name], prizes)
    ]
    costs = {one.name: one.terms.cost_micros for one in before}
    return Compared(ledgers, costs, lines, others)


def _lines(before: System, ours: Ledger, after: System, prizes: dict[str, int]) -> Iterator[Line]:
    name = before.name
    yield Line(name, "the meter", ours.value_micros, after.value_micros, micros=True)
    yield Line(name, "resets", ours.epoch - before.epoch, after.epoch - before.epoch)
    found = {key: prizes[key] for key in ours.prizes if key in prizes}
    yield Line(name, "prizes", len(ours.prizes), len(found))
    yield Line(name, "prizes won", sum(ours.prizes.values()), sum(found.values()), micros=True)


def _prizes(api: Api) -> dict[str, int]:
    return {one["prize"]: one["amount_cents"] * MICROS_PER_CENT for one in api.every("/v1/prizes")}
