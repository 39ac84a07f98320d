"""The one fake of the house: the store of the door in memory, for a simulation step by step.

It keeps the same promises as PostgreSQL: `tests/integration/recording/test_store.py` asks both.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from meter_server.domain.awards import UNDECIDED, Award, AwardState
from meter_server.domain.floor import Floor
from meter_server.domain.meter import Meter
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table
from meter_server.storage.rows import Head, Loaded, Needs, StoredEntry, StoredMessage, Write

Value = TypeVar("Value")


class MemoryFloor:
    """What a database would hold, in dictionaries."""

    def __init__(self, devices: Iterable[str] = ()) -> None:
        self.meters: dict[str, Meter] = {}
        self.tables: dict[str, Table] = {}
        self.rounds: dict[str, Round] = {}
        self.awards: dict[str, Award] = {}
        self.notices: dict[str, Notice] = {}
        self.versions: dict[tuple[str, str], int] = {}
        self.heads: dict[str, Head] = {}
        self.entries: list[StoredEntry] = []
        self.messages: dict[str, StoredMessage] = {}
        self.numbers: dict[tuple[str, int], int] = {(device, 1): 0 for device in devices}
        self.floor_version = 1

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        del locking  # whoever simulates decides who comes between
        return self.store(decide(self.load(needs)))

    def load(self, needs: Needs) -> Loaded:
        floor = self._floor(needs)
        return Loaded(
            floor=floor,
            versions={key: self.versions[key] for key in _keys(floor)},
            heads={name: self.heads[name] for name in floor.meters},
            answers={
                key: (self.messages[key].digest, self.messages[key].answer)
                for key in needs.messages & set(self.messages)
            },
            last_numbers={k: last for k, last in self.numbers.items() if k[0] in needs.devices},
            floor_version=self.floor_version,
        )

    def store(self, write: Write) -> bool:
        """All of it, or nothing where something is no longer as it was read."""
        if not self.is_as_read(write):
            return False
        self.numbers.update(write.numbers)
        self.floor_version += write.moves_systems
        self.meters.update(write.meters)
        self.tables.update(write.tables)
        self.rounds.update(write.rounds)
        self.awards.update(write.awards)
        self.notices.update(write.notices)
        for key in _keys(write):
            self.versions[key] = self.versions.get(key, 0) + 1
        self.heads.update(write.heads)
        self.entries.extend(write.entries)
        self.messages.update({message.key: message for message in write.messages})
        return True

    def is_as_read(self, write: Write) -> bool:
        read = write.read
        return (
            all(self.numbers.get(who) == read.last_numbers.get(who, 0) for who in write.numbers)
            and (not write.moves_systems or self.floor_version == read.floor_version)
            and all(_seq(self.meters, key) == _seq(read.floor.meters, key) for key in write.meters)
            and all(self.versions.get(key, 0) == read.versions.get(key, 0) for key in _keys(write))
            and not any(message.key in self.messages for message in write.messages)
        )

    def _floor(self, needs: Needs) -> Floor:
        of_awards = {self.awards[key].round_id for key in needs.awards & set(self.awards)}
        named = _some(self.rounds, needs.rounds | of_awards)
        at = needs.tables | {round_.table_id for round_ in named.values()}
        tables = self.tables if needs.all_systems else _some(self.tables, at)
        of_tables = {key for t in tables.values() for key in _rounds(t, last=needs.last_rounds)}
        rounds = named | _some(self.rounds, of_tables)
        of: set[str | None] = {*needs.meters}
        of |= {table.meter_id for table in tables.values()}
        of |= {round_.meter_id for round_ in rounds.values()}
        contested = {r.meter_id for key, r in named.items() if key in needs.contested_rounds}
        replayed = {r.meter_id for key, r in named.items() if key in needs.history_of_rounds}
        return Floor(
            meters=dict(self.meters) if needs.all_systems else _some(self.meters, of),
            tables=dict(tables),
            rounds=rounds,
            awards={
                key: award
                for key, award in self.awards.items()
                if key in needs.awards
                or award.round_id in needs.awards_of_rounds
                or (award.state is not AwardState.VOIDED and award.meter_id in contested)
                or (needs.undecided and award.state in UNDECIDED)
            },
            notices=_some(self.notices, needs.notices),
            history={
                name: tuple(one.entry for one in self.entries if one.entry.meter_id == name)
                for name in replayed
            },
        )


def _some(values: Mapping[str, Value], keys: Iterable[str | None]) -> dict[str, Value]:
    return {key: values[key] for key in keys if key is not None and key in values}


def _rounds(table: Table, *, last: bool) -> tuple[str | None, ...]:
    carried = None if table.carry is None else table.carry.round_id
    return table.open_round_id, table.last_round_id if last else None, carried


def _keys(floor: Floor | Write) -> list[tuple[str, str]]:
    """What carries a version."""
    return [
        *(("table", key) for key in floor.tables),
        *(("round", key) for key in floor.rounds),
        *(("award", key) for key in floor.awards),
        *(("notice", key) for key in floor.notices),
    ]


def _seq(meters: Mapping[str, Meter], key: str) -> int:
    return meters[key].seq if key in meters else 0
