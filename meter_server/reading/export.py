"""The export: everything that an auditor needs to check the books, as lines of JSON.

The form is published in docs/protocol.md. A line stands after the lines that it depends on, so that
a reader can check all of it in one pass and forget as it goes.
"""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from meter_server.storage.exporting import Row, Rows

FORMAT = 2
_MESSAGE_COLUMNS = 5
_ENTRY_COLUMNS = 13


def lines(
    rows: Rows, origin: str | None, tell: Callable[[int, int], None] = lambda *_: None
) -> Iterator[str]:
    """Each line without its end; ``tell`` hears how many entries are out, of how many."""
    head = {
        "at": _instant(rows.moment()),
        "export": FORMAT,
        "origin": origin,
    }
    yield _line(head)
    counts: Counter[str] = Counter()
    for row in _Export(rows, tell).rows():
        counts[row["row"]] += 1
        yield _line(row)
    yield _line({"row": "end", "rows": dict(counts)})


class _Export:
    def __init__(self, rows: Rows, tell: Callable[[int, int], None]) -> None:
        self._rows = rows
        self._tell = tell
        self._several = rows.messages_of_several_meters()
        self._told: set[str] = set()
        """Of those messages, the ones that are out already."""
        self._request_of_key: dict[str, bytes] = {}
        """By key: the request last written. A device speaks in order, so one is enough."""

    def rows(self) -> Iterator[dict[str, Any]]:
        meters = [_meter(row) for row in self._rows.meters()]
        yield from map(_key, self._rows.keys())
        yield from map(_number, self._rows.numbers())
        yield from meters
        for number, note, messages in self._rows.checkpoints():
            yield {"messages": messages, "note": note, "number": number, "row": "checkpoint"}
        yield from map(_request, self._rows.idle_requests())
        for found in self._rows.messages_without_entries():
            yield from self._message(found)
        done, total = 0, sum(meter["seq"] for meter in meters)
        for meter_id in (meter["meter"] for meter in meters):
            for row in self._journal(meter_id):
                yield row
                done += row["row"] == "entry"
                self._tell(done, total)

    def _journal(self, meter_id: str) -> Iterator[dict[str, Any]]:
        """The entries of a meter in their order, each message before the first that it made."""
        last = None
        for found in self._rows.entries(meter_id):
            entry, message = found[:_ENTRY_COLUMNS], found[_ENTRY_COLUMNS:]
            key = message[0]
            if key is not None and key != last and key not in self._told:
                yield from self._message(message)
                if key in self._several:
                    self._told.add(key)
            last = key
            yield _entry(meter_id, entry)

    def _message(self, found: Row) -> Iterator[dict[str, Any]]:
        message, request = found[:_MESSAGE_COLUMNS], found[_MESSAGE_COLUMNS:]
        digest, _, key_id, *_ = request
        if digest is not None and self._request_of_key.get(key_id) != digest:
            self._request_of_key[key_id] = digest
            yield _request(request)
        yield _message(message)


def _key(row: Row) -> dict[str, Any]:
    key_id, public, device, epoch, valid_from, valid_to = row
    return {
        "device": device,
        "epoch": epoch,
        "from": _instant(valid_from),
        "id": key_id,
        "public_key": _base64(public),
        "row": "key",
        "to": _instant(valid_to),
    }


def _number(row: Row) -> dict[str, Any]:
    device, epoch, last = row
    return {"device": device, "epoch": epoch, "last": last, "row": "device"}


_METER = (
    *("meter", "training", "state", "option", "seed", "cost_cents", "value", "seq", "epoch"),
    *("base", "credited", "reversed", "prizes", "transferred", "extra", "turnover"),
)


def _meter(row: Row) -> dict[str, Any]:
    *columns, head, at = row
    named = dict(zip(_METER, columns, strict=True))
    return {**named, "at": _instant(at), "hash": head.hex(), "row": "meter"}


def _request(row: Row) -> dict[str, Any]:
    digest, body, key_id, signature_input, signature, at = row
    return {
        "at": _instant(at),
        "body": _base64(body),
        "digest": digest.hex(),
        "key": key_id,
        "row": "request",
        "signature": signature,
        "signature_input": signature_input,
    }


def _message(row: Row) -> dict[str, Any]:
    key, digest, at, answer, request = row
    return {
        "answer": _text(answer),
        "at": _instant(at),
        "digest": digest.hex(),
        "key": key,
        "request": None if request is None else request.hex(),
        "row": "message",
    }


def _entry(meter_id: str, row: Row) -> dict[str, Any]:
    seq, kind, amount, before, after, epoch, at, table, round_, message, body, previous, own = row
    return {
        "body": _text(body),
        "columns": [kind, amount, before, after, epoch, _instant(at), table, round_, message],
        "hash": own.hex(),
        "meter": meter_id,
        "previous": previous.hex(),
        "row": "entry",
        "seq": seq,
    }


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, separators=(",", ":"))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _text(data: bytes) -> str:
    """As it is stored; bytes that are no text, which nobody wrote, come out as lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
