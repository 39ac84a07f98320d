"""What one kind of screen is shown of the floor, as events for its stream."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from meter_server.contract.frames import Floor, Meter

_MOVING = {"seq", "epoch", "value_micros", "royal_pays_micros", "at"}
"""What changes with every wager; the rest of a view changes now and then."""


@dataclass(frozen=True, slots=True)
class View:
    """The sign of one table, or a board of several meters, all where none is named (SGN-2)."""

    table: str | None = None
    meters: tuple[str, ...] = ()

    @classmethod
    def asked_for(cls, query: str) -> "View":
        asked = parse_qs(query)
        if "table" in asked:
            return cls(table=asked["table"][0])
        return cls(meters=tuple(filter(None, asked.get("meters", [""])[0].split(","))))

    def of(self, picture: "Picture") -> "Shown":
        table = picture.tables.get(self.table or "", _NO_TABLE)
        meters = [meter for meter in picture.meters if self._has(meter, table)]
        names = {meter.name for meter in meters}
        hits = [hit.written for hit in picture.hits if hit.meter in names]
        return Shown(picture.stamp, table.written, meters, hits)

    def _has(self, meter: "_Meter", table: "_Part") -> bool:
        if self.table is not None:
            return meter.name == table.meter
        return meter.name in self.meters if self.meters else not meter.training


class _Part(NamedTuple):
    """A table or a hit."""

    meter: str | None
    written: str


class _Meter:
    __slots__ = ("moving", "name", "resting", "training", "whole")

    def __init__(self, meter: Meter) -> None:
        self.name = meter.meter
        self.training = meter.training
        self.whole = meter.model_dump_json()
        self.moving = meter.model_dump_json(include={"meter"} | _MOVING)
        self.resting = meter.model_dump_json(exclude=_MOVING)


_NO_TABLE = _Part(None, "null")


class Picture:
    """A floor in the form that travels: each part is written once, for all views that have it."""

    __slots__ = ("hits", "meters", "stamp", "tables")

    def __init__(self, floor: Floor) -> None:
        self.stamp = f'"order":{floor.order},"read_at":"{floor.read_at}"'
        self.meters = [_Meter(meter) for meter in floor.meters]
        self.tables = {one.table: _Part(one.meter, one.model_dump_json()) for one in floor.tables}
        self.hits = [_Part(hit.meter, hit.model_dump_json()) for hit in floor.hits]


class Shown:
    """A view of one floor."""

    __slots__ = ("_meters", "_stamp", "_still", "digest")

    def __init__(self, stamp: str, table: str, meters: list[_Meter], hits: list[str]) -> None:
        self._stamp = stamp
        self._still = f'"table":{table},"hits":[{",".join(hits)}]'
        self._meters = meters
        resting = self._still + ",".join(meter.resting for meter in meters)
        self.digest = hashlib.sha256(resting.encode()).hexdigest()[:16]
        """Names what a screen has: one that comes back with it is told the values alone."""

    def whole(self, age_ms: int, sent_ms: int) -> bytes:
        """Everything: what a new screen is told first, and all when more than values changed."""
        meters = ",".join(meter.whole for meter in self._meters)
        return self._event("floor", f'"meters":[{meters}],{self._still}', age_ms, sent_ms)

    def values(self, age_ms: int, sent_ms: int) -> bytes:
        """What moved; also when nothing did, so that a screen knows how old its values are."""
        meters = ",".join(meter.moving for meter in self._meters)
        return self._event("values", f'"meters":[{meters}]', age_ms, sent_ms)

    def _event(self, kind: str, said: str, age_ms: int, sent_ms: int) -> bytes:
        stamp = f'{self._stamp},"age_ms":{age_ms},"sent_ms":{sent_ms}'
        return f"id: {self.digest}\nevent: {kind}\ndata: {{{stamp},{said}}}\n\n".encode()


def event(kind: str, said: dict[str, Any]) -> bytes:
    written = json.dumps(said, separators=(",", ":"))
    return f"event: {kind}\ndata: {written}\n\n".encode()
