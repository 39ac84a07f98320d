"""What one kind of screen is shown of the floor, as events for its stream."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

Json = dict[str, Any]

_MOVING = ("seq", "epoch", "value_micros", "royal_pays_micros", "at")
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

    def of(self, floor: Json) -> "Shown":
        """A view of a floor in the form that travels (meter_server/contract/frames.py)."""
        table = next((one for one in floor["tables"] if one["table"] == self.table), None)
        meters = [meter for meter in floor["meters"] if self._has(meter, table)]
        names = {meter["meter"] for meter in meters}
        hits = [hit for hit in floor["hits"] if hit["meter"] in names]
        return Shown(floor["order"], floor["read_at"], table, meters, hits)

    def _has(self, meter: Json, table: Json | None) -> bool:
        if self.table is not None:
            return table is not None and meter["meter"] == table["meter"]
        return meter["meter"] in self.meters if self.meters else not meter["training"]


class Shown:
    """A view of one floor."""

    __slots__ = ("_meters", "_stamp", "_still", "digest")

    def __init__(
        self, order: int, read_at: str, table: Json | None, meters: list[Json], hits: list[Json]
    ) -> None:
        self._stamp = {"order": order, "read_at": read_at}
        self._still = {"table": table, "hits": hits}
        self._meters = meters
        resting = [{k: v for k, v in meter.items() if k not in _MOVING} for meter in meters]
        written = _json(self._still | {"meters": resting}).encode()
        self.digest = hashlib.sha256(written).hexdigest()[:16]
        """Names what a screen has: one that comes back with it is told the values alone."""

    def whole(self, age_ms: int, sent_ms: int) -> bytes:
        """Everything: what a new screen is told first, and all when more than values changed."""
        return self._event("floor", self._still | {"meters": self._meters}, age_ms, sent_ms)

    def values(self, age_ms: int, sent_ms: int) -> bytes:
        """What moved; also when nothing did, so that a screen knows how old its values are."""
        meters = [{k: meter[k] for k in ("meter", *_MOVING)} for meter in self._meters]
        return self._event("values", {"meters": meters}, age_ms, sent_ms)

    def _event(self, kind: str, said: Json, age_ms: int, sent_ms: int) -> bytes:
        stamp = self._stamp | {"age_ms": age_ms, "sent_ms": sent_ms}
        return f"id: {self.digest}\n".encode() + event(kind, stamp | said)


def event(kind: str, said: Json) -> bytes:
    return f"event: {kind}\ndata: {_json(said)}\n\n".encode()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
