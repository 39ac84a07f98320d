"""A forger who has everything but the keys: rows, hashes, answers, sums and counts all fit again.

Nothing inside such an export is wrong. Only what was given out before can contradict it: receipts
at the tables, and checkpoints in the log outside the database.
"""

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.integration.verify.exports import verified
from tests.integration.verify.tampers import Row, Tampered, written

_COLUMNS = ("kind", "amount", "before", "after", "epoch", "at", "table", "round", "message")


def move_a_time(rows: list[Row], random: Random) -> Tampered:
    """A message was recorded a microsecond later than it was."""
    rows = deepcopy(rows)
    of_device = [row for row in rows if str(row.get("key")).startswith("device:")]
    message = random.choice(of_device)
    later = datetime.fromisoformat(message["at"]) + timedelta(microseconds=1)
    message["at"] = later.isoformat(timespec="microseconds").replace("+00:00", "Z")
    _put(message, "answer", at=message["at"])
    made = [row for row in rows if row.get("row") == "entry" and _message(row) == message["key"]]
    for row in made:
        _put(row, "body", at=message["at"])
    named = {message["key"], *(f"meter {row['meter']} seq {row['seq']}" for row in made)}
    return Tampered("a time moved", written(_rehashed(rows)), frozenset(named))


def tell_another_origin(rows: list[Row], random: Random) -> Tampered:
    """An opening that was always so: every hash of the meter is another one."""
    rows = deepcopy(rows)
    openings = [row for row in rows if row.get("row") == "entry" and row["seq"] == 1]
    chosen = random.choice(openings)
    detail = json.loads(chosen["body"])["detail"]
    reference = f"The old meter, {random.randrange(1000)}"
    _put(chosen, "body", detail={**detail, "reference": reference})
    named = frozenset({f"meter {chosen['meter']} seq 1"})
    return Tampered("another reference", written(_rehashed(rows)), named)


def cut_the_tail(rows: list[Row], random: Random) -> Tampered:
    """Nothing after a moment ever happened."""
    rows = deepcopy(rows)
    of_devices = [row["at"] for row in rows if str(row.get("key")).startswith("device:")]
    moment = random.choice(sorted(of_devices)[len(of_devices) // 3 :])
    gone = [row for row in rows if _is_of(row, moment)]
    left = [row for row in rows if not _is_of(row, moment)]
    brought = {row["request"] for row in left if row.get("row") == "message"}
    left = [row for row in left if row.get("row") != "request" or row["digest"] in brought]
    named = {row["key"] for row in gone if row["row"] == "message"}
    named |= {f"meter {row['meter']} seq {row['seq']}" for row in gone if row["row"] == "entry"}
    return Tampered("the tail cut", written(_standing(left)), frozenset(named))


def without_checkpoints(lines: list[str]) -> list[str]:
    return written([row for row in map(json.loads, lines) if row.get("row") != "checkpoint"])


FORGERIES: tuple[Callable[[list[Row], Random], Tampered], ...] = (
    move_a_time,
    tell_another_origin,
    cut_the_tail,
)


def _is_of(row: Row, moment: str) -> bool:
    match row.get("row"):
        case "entry":
            return bool(json.loads(row["body"])["at"] >= moment)
        case "message":
            return bool(row["at"] >= moment)
        case "checkpoint":
            return bool(row["note"].split("\n")[3] >= moment)
    return False


def _standing(rows: list[Row]) -> list[Row]:
    """Meters and devices as they stand after what is left: the verifier itself works it out."""
    verifier = verified(written(rows))
    numbers: dict[tuple[str, int], int] = {}
    for row in rows:
        if str(row.get("key")).startswith("device:"):
            _, device, epoch, number = row["key"].split(":")
            numbers[device, int(epoch)] = max(int(number), numbers.get((device, int(epoch)), 0))
    for row in rows:
        if row.get("row") == "device":
            row["last"] = numbers.get((row["device"], row["epoch"]), 0)
        if row.get("row") == "meter":
            meter = verifier.journal.meters[row["meter"]]
            assert meter.sums is not None
            row |= {"value": meter.value, "seq": meter.seq, "epoch": meter.epoch}
            row |= {"hash": meter.hash.hex(), "at": meter.at, "base": meter.base}
            for name in ("credited", "reversed", "prizes", "transferred", "extra", "turnover"):
                row[name] = meter.sums[name]
    return rows


def _rehashed(rows: list[Row]) -> list[Row]:
    heads: dict[str, bytes] = {}
    entries: dict[tuple[str, int], Row] = {}
    for row in rows:
        if row.get("row") == "entry":
            name, body = row["meter"], row["body"]
            genesis = hashlib.sha256(f"prize-meter journal 1\n{name}".encode()).digest()
            previous = heads.get(name, genesis)
            heads[name] = hashlib.sha256(previous + body.encode()).digest()
            row |= {"previous": previous.hex(), "hash": heads[name].hex()}
            row["columns"] = [json.loads(body)[column] for column in _COLUMNS]
            entries[name, row["seq"]] = row
    for row in rows:
        if row.get("row") == "message":
            _answer_anew(row, entries)
        if row.get("row") == "meter":
            row |= {"hash": heads[row["meter"]].hex()}
            row["at"] = json.loads(entries[row["meter"], row["seq"]]["body"])["at"]
    return rows


def _answer_anew(row: Row, entries: dict[tuple[str, int], Row]) -> None:
    answer = json.loads(row["answer"])
    for told in (*answer.get("entries", ()), *filter(None, [answer["head"]])):
        entry = entries[told["meter"], told["seq"]]
        told["hash"] = entry["hash"]
        if told.get("detail"):
            told["detail"] = json.loads(entry["body"])["detail"]
    _put(row, "answer", **answer)


def _put(row: Row, inside: str, **values: Any) -> None:
    laid = json.loads(row[inside]) | values
    row[inside] = json.dumps(laid, sort_keys=True, separators=(",", ":"))


def _message(row: Row) -> str | None:
    message: str | None = json.loads(row["body"])["message"]
    return message
