"""The floor: everything a decision looks at, and the scratch a decision works on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from meter_server.domain.awards import UNDECIDED, Award, LaterPrize
from meter_server.domain.entries import Entry
from meter_server.domain.meter import Meter, MeterState, Posting, check, post
from meter_server.domain.notices import Notice
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Floor:
    """A state of the floor, or the part of it that was loaded."""

    meters: Mapping[str, Meter] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    rounds: Mapping[str, Round] = field(default_factory=dict)
    awards: Mapping[str, Award] = field(default_factory=dict)
    notices: Mapping[str, Notice] = field(default_factory=dict)
    history: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    """A meter's entries so far; only corrections and contested orders look at them."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a command did: its entries in order, and every value it changed."""

    entries: tuple[Entry, ...]
    meters: Mapping[str, Meter]
    tables: Mapping[str, Table]
    rounds: Mapping[str, Round]
    awards: Mapping[str, Award]
    notices: Mapping[str, Notice]
    draining: bool
    """The change waits until the games open at its tables have ended."""
    later_prizes: tuple[LaterPrize, ...] = ()
    """Later prizes that differ after a correction, for somebody to decide about."""


class Draft:
    """One decision's scratch copy; nothing of it is seen unless the whole decision holds."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._entries: list[Entry] = []
        self._meters: dict[str, Meter] = {}
        self._tables: dict[str, Table] = {}
        self._rounds: dict[str, Round] = {}
        self._awards: dict[str, Award] = {}
        self._notices: dict[str, Notice] = {}
        self.draining = False
        self.later_prizes: tuple[LaterPrize, ...] = ()

    def trial(self) -> "Draft":
        """A scratch of this scratch, to see what a change would make without making it."""
        trial = Draft(self._floor)
        trial._meters.update(self._meters)
        trial._tables.update(self._tables)
        return trial

    def accepted(self) -> Accepted:
        for meter in self._meters.values():
            check(meter)
        return Accepted(
            tuple(self._entries),
            self._meters,
            self._tables,
            self._rounds,
            self._awards,
            self._notices,
            self.draining,
            self.later_prizes,
        )

    def meter(self, meter_id: str) -> Meter:
        return _known("prize meter system", meter_id, self._meters, self._floor.meters)

    def open_meter(self, meter_id: str) -> Meter:
        meter = self.meter(meter_id)
        if meter.state is not MeterState.OPEN:
            raise Refused(
                Kind.SYSTEM_CLOSED,
                f"The prize meter system {meter_id} is closed.",
                rule="WSOP 9.1.1(i); Three Card 6.1.1(i)",
                remedy="Choose a system that is open.",
            )
        return meter

    def table(self, table_id: str) -> Table:
        return _known("table", table_id, self._tables, self._floor.tables)

    def round(self, round_id: str) -> Round:
        return _known("round", round_id, self._rounds, self._floor.rounds)

    def award(self, award_id: str) -> Award:
        return _known("prize", award_id, self._awards, self._floor.awards)

    def notice(self, notice_id: str) -> Notice:
        return _known("notice", notice_id, self._notices, self._floor.notices)

    def open_meters(self) -> list[Meter]:
        everything = {**self._floor.meters, **self._meters}
        return [meter for meter in everything.values() if meter.state is MeterState.OPEN]

    def tables_of(self, meter_id: str) -> list[Table]:
        everything = {**self._floor.tables, **self._tables}
        return [table for table in everything.values() if table.meter_id == meter_id]

    def awards_of_round(self, round_id: str) -> list[Award]:
        everything = {**self._floor.awards, **self._awards}
        return [award for award in everything.values() if award.round_id == round_id]

    def awards_of_meter(self, meter_id: str) -> list[Award]:
        everything = {**self._floor.awards, **self._awards}
        return [award for award in everything.values() if award.meter_id == meter_id]

    def undecided(self, meter_id: str) -> list[Award]:
        return [award for award in self.awards_of_meter(meter_id) if award.state in UNDECIDED]

    def history(self, meter_id: str) -> tuple[Entry, ...]:
        """The meter's entries so far, with those of this decision."""
        posted = (entry for entry in self._entries if entry.meter_id == meter_id)
        return (*self._floor.history.get(meter_id, ()), *posted)

    def refuse_known(self, what: str, key: str) -> None:
        known = {
            "prize meter system": self._floor.meters,
            "table": self._floor.tables,
            "round": self._floor.rounds,
            "notice": self._floor.notices,
        }[what]
        if key in known:
            raise Refused(
                Kind.ALREADY_EXISTS,
                f"A {what} named {key} exists already.",
                rule="house control",
                remedy="Use another name; a name is never used twice.",
            )

    def put(self, *values: Meter | Table | Round | Award | Notice) -> None:
        for value in values:
            match value:
                case Meter():
                    self._meters[value.id] = value
                case Table():
                    self._tables[value.id] = value
                case Round():
                    self._rounds[value.id] = value
                case Award():
                    self._awards[value.id] = value
                case Notice():
                    self._notices[value.id] = value

    def post(self, meter_id: str, posting: Posting) -> Entry:
        """One after the other: this is the total order of a system's settlements (SET-4)."""
        meter, entry = post(self.meter(meter_id), posting)
        self._meters[meter_id] = meter
        self._entries.append(entry)
        return entry


def _known(what: str, key: str, changed: Mapping[str, Value], before: Mapping[str, Value]) -> Value:
    found = changed.get(key) or before.get(key)
    if found is None:
        raise Refused(
            Kind.UNKNOWN,
            f"There is no {what} named {key}.",
            rule="house control",
            remedy="Check the name.",
        )
    return found


def apply(floor: Floor, accepted: Accepted) -> Floor:
    """The floor after a command."""
    history = {**floor.history}
    for entry in accepted.entries:
        history[entry.meter_id] = (*history.get(entry.meter_id, ()), entry)
    return Floor(
        meters=_changed(floor.meters, accepted.meters),
        tables=_changed(floor.tables, accepted.tables),
        rounds=_changed(floor.rounds, accepted.rounds),
        awards=_changed(floor.awards, accepted.awards),
        notices=_changed(floor.notices, accepted.notices),
        history=history,
    )


def _changed(before: Mapping[str, Value], changed: Mapping[str, Value]) -> Mapping[str, Value]:
    return {**before, **changed} if changed else before
