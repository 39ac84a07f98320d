"""Journal entries: what changes a meter, in double entry, as bytes that are hashed as they stand.

The format is published in docs/protocol.md and cannot change for rows that exist.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from meter_server import canonical
from meter_server.canonical import Json as Json  # for rooms that speak of entries
from meter_server.domain import writing

FORMAT = 1
_GENESIS = b"prize-meter journal 1\n"
_UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_US = (datetime(9999, 12, 31, 23, 59, 59, 999_999, UTC) - _UNIX_EPOCH) // timedelta(
    microseconds=1
)


class EntryKind(StrEnum):
    """The closed list of what may happen to a meter (MET-6)."""

    OPENING = "opening"
    CREDIT = "credit"
    REVERSAL = "reversal"
    SETTLEMENT = "settlement"
    PRIZE = "prize"
    RESET = "reset"
    EXTRA = "extra"
    TRANSFER_OUT = "transfer-out"
    TRANSFER_IN = "transfer-in"
    CHANGE = "change"
    CORRECTION = "correction"
    RULING = "ruling"
    CLOSING = "closing"


MAY_LOWER = frozenset(
    {
        EntryKind.REVERSAL,
        EntryKind.PRIZE,
        EntryKind.TRANSFER_OUT,
        EntryKind.CORRECTION,
        EntryKind.CLOSING,
    }
)
"""A meter falls for these reasons and no other."""


class Account(StrEnum):
    """Where money comes from and goes to; the lines of every entry add up to nought (AUD-2)."""

    METER = "meter"
    WAGERS_TAKEN = "wagers-taken"
    REFUNDS = "refunds"
    HOUSE_MARGIN = "house-margin"
    SEED_FUNDING = "seed-funding"
    PRIZES = "prizes"
    BONUS_PAYOUTS = "bonus-payouts"
    TRANSFERS = "transfers"


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of one meter, in its place in that meter's order."""

    meter_id: str
    seq: int
    kind: EntryKind
    amount_micros: int
    before_micros: int
    after_micros: int
    epoch: int
    lines: tuple[tuple[Account, int], ...]
    rule: str
    table_id: str | None
    round_id: str | None
    detail: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who, when and by which message: the same for all entries of one command."""

    at_us: int
    actor: str
    approver: str | None
    second: str | None
    agent_at_us: int | None
    message: str | None
    request_digest: str | None
    rulebook: str
    readings: str


def canonical_bytes(entry: Entry, stamp: Stamp) -> bytes:
    """The entry as ASCII JSON, keys sorted, no white space; written once, never re-encoded."""
    _require_names(entry, stamp)
    return canonical_json(
        {
            "actor": stamp.actor,
            "after": entry.after_micros,
            "agent_at": None if stamp.agent_at_us is None else timestamp(stamp.agent_at_us),
            "amount": entry.amount_micros,
            "approver": stamp.approver,
            "at": timestamp(stamp.at_us),
            "before": entry.before_micros,
            "detail": dict(entry.detail),
            "epoch": entry.epoch,
            "format": FORMAT,
            "kind": entry.kind.value,
            "lines": [[account.value, micros] for account, micros in entry.lines],
            "message": stamp.message,
            "meter": entry.meter_id,
            "readings": stamp.readings,
            "request": stamp.request_digest,
            "round": entry.round_id,
            "rule": entry.rule,
            "rulebook": stamp.rulebook,
            "second": stamp.second,
            "seq": entry.seq,
            "table": entry.table_id,
        }
    )


def _require_names(entry: Entry, stamp: Stamp) -> None:
    writing.require(writing.NAME, "a meter", entry.meter_id)
    writing.require(writing.NAME, "a table", entry.table_id)
    writing.require(writing.ROUND, "a round", entry.round_id)
    for person in (stamp.actor, stamp.approver, stamp.second):
        writing.require(writing.NAME, "a person", person)
    writing.require(writing.MESSAGE, "the key of a message", stamp.message)
    writing.require(writing.DIGEST, "a digest", stamp.request_digest)


def canonical_json(value: Json) -> bytes:
    writing.require_json(value)
    return canonical.canonical_json(value)


@lru_cache(maxsize=4096)  # all entries and answers of a batch have the same one
def timestamp(at_us: int) -> str:
    """RFC 3339 in UTC with six decimals, whatever the instant."""
    if not 0 <= at_us <= _LAST_US:
        raise ValueError(f"{at_us} microseconds since 1970 is no time of a journal")
    instant = _UNIX_EPOCH + timedelta(microseconds=at_us)
    return instant.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def genesis_hash(meter_id: str) -> bytes:
    """What the first entry of a meter is chained to: no row can move to another meter's start."""
    writing.require(writing.NAME, "a meter", meter_id)
    return hashlib.sha256(_GENESIS + meter_id.encode("ascii")).digest()


def chain_hash(previous: bytes, entry_bytes: bytes) -> bytes:
    if len(previous) != hashlib.sha256().digest_size:
        raise ValueError("an entry is chained to a whole hash, or where it begins is open to doubt")
    return hashlib.sha256(previous + entry_bytes).digest()
