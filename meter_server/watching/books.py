"""Whether an entry follows the one before: place, chain, copies, balance, and the least of 9.3.

Pure, so that the check of the minute and that of the night cannot differ. What an entry is worth is
worked out by ``jackpot-verify`` alone, which shares no line with this.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from meter_server.domain.entries import EntryKind, chain_hash, genesis_hash
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.storage.books import Head, Row
from meter_server.storage.violations import ViolationKind

_BEGINS_ANEW = {EntryKind.OPENING, EntryKind.RESET, EntryKind.CLOSING}


@dataclass(frozen=True, slots=True)
class Fault:
    kind: ViolationKind
    seq: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Place:
    """What a meter amounted to after an entry: where the check goes on."""

    hash: str
    seq: int = 0
    value: int = 0
    message: str | None = None
    reseed: int = 0
    since_reset: int = 0
    """Credits less reversals and prizes, since the last reset."""
    is_closed: bool = False

    @classmethod
    def before(cls, meter_id: str) -> "Place":
        return cls(genesis_hash(meter_id).hex())

    @property
    def least_micros(self) -> int:
        """MET-1; a correction that gives a prize back counts like a prize that was less (A-58)."""
        return self.reseed + max(self.since_reset, 0)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def follow(meter_id: str, place: Place, row: Row) -> tuple[Place, list[Fault]]:
    """The place after this entry, as the entry itself has it, and what is wrong with it."""
    try:
        entry = json.loads(row.body)
        faults = [*_faults(meter_id, place, row, entry)]
        reached = _reached(place, row, entry)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        unread = Fault(ViolationKind.CHAIN, row.seq, f"Its bytes cannot be read ({error!r}).")
        return replace(place, seq=row.seq, hash=row.hash.hex(), value=row.after_micros), [unread]
    return reached, faults


def end_of_message(place: Place) -> list[Fault]:
    """After the last entry of a message the meter is no lower than it must be (9.3)."""
    if place.is_closed or place.value >= place.least_micros:
        return []
    sentence = f"The meter stood at {place.value} micros, below {place.least_micros} (MET-1)."
    return [Fault(ViolationKind.FLOOR, place.seq, sentence)]


def differences(stands: Head, last: Head | None) -> list[Fault]:
    """The meter's row is its last entry, and nothing else."""
    if last is None:
        return [Fault(ViolationKind.METER, 0, "The meter has no entry.")]
    wrong = [name for name in Head._fields if getattr(stands, name) != getattr(last, name)]
    sentence = f"The meter's row differs from its last entry in {', '.join(wrong)}."
    return [Fault(ViolationKind.METER, last.seq, sentence)] if wrong else []


def _faults(meter_id: str, place: Place, row: Row, entry: dict[str, Any]) -> Iterator[Fault]:
    if row.message is None or row.message != place.message:
        yield from end_of_message(place)
    if row.seq != place.seq + 1:
        sentence = f"Entry {place.seq + 1} is missing: after entry {place.seq} comes this one."
        yield Fault(ViolationKind.SEQUENCE, row.seq, sentence)
    if row.previous.hex() != place.hash or row.hash != chain_hash(row.previous, row.body):
        yield Fault(ViolationKind.CHAIN, row.seq, "It is not chained to the entry before it.")
    for name, copy in _copies(meter_id, row).items():
        if entry[name] != copy:
            yield Fault(ViolationKind.COPY, row.seq, f"Beside its bytes {name} is {copy}.")
            break
    balanced = (place.value, place.value + entry["amount"], ["meter", entry["amount"]], 0)
    lines = entry["lines"]
    if balanced != (entry["before"], entry["after"], lines[0], sum(line[1] for line in lines)):
        yield Fault(ViolationKind.BALANCE, row.seq, "Before, amount, after and lines do not fit.")


def _copies(meter_id: str, row: Row) -> dict[str, Any]:
    return {
        "meter": meter_id,
        "seq": row.seq,
        "kind": row.kind,
        "amount": row.amount_micros,
        "before": row.before_micros,
        "after": row.after_micros,
        "epoch": row.epoch,
        "at": instant(row.at),
        "table": row.table_id,
        "round": row.round_id,
        "message": row.message,
    }


def _reached(place: Place, row: Row, entry: dict[str, Any]) -> Place:
    kind, amount, detail = EntryKind(entry["kind"]), entry["amount"], entry["detail"]
    reseed, since = place.reseed, place.since_reset
    if kind in (EntryKind.OPENING, EntryKind.CHANGE):
        terms = detail.get("to", detail)
        reseed = terms["seed"] * terms["cost_cents"] * MICROS_PER_CENT
    if kind in _BEGINS_ANEW or reseed != place.reseed:
        since = 0
    elif kind in (EntryKind.CREDIT, EntryKind.REVERSAL, EntryKind.PRIZE, EntryKind.CORRECTION):
        since += amount
    return Place(
        hash=row.hash.hex(),
        seq=row.seq,
        value=entry["after"],
        message=row.message,
        reseed=reseed,
        since_reset=since,
        is_closed=kind is EntryKind.CLOSING or place.is_closed,
    )


def instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
