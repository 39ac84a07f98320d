"""What the checker reads: the database by plain SQL, receipts by their own signature.

Nothing of the product is used here; formats are those of the published protocol.
"""

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import psycopg
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg.rows import namedtuple_row

from tests.faults.kept import Json

Row = Any
"""A row with its columns as attributes."""


@dataclass(frozen=True)
class Books:
    meters: Mapping[str, Row]
    entries: Mapping[str, Sequence[Row]]
    """By meter, in the order of seq."""
    messages: Mapping[str, Sequence[Row]]
    """By key: one each, if all is well."""
    requests: Mapping[bytes, bytes]
    """Signed bodies, by their digest."""
    last_numbers: Mapping[tuple[str, int], int]
    meter_of_table: Mapping[str, str]

    def entries_of(self, key: str) -> list[Row]:
        return self._by_message.get(key, [])

    @cached_property
    def _by_message(self) -> Mapping[str, list[Row]]:
        return _grouped([row for rows in self.entries.values() for row in rows], "message")


def read_books(database_url: str) -> Books:
    """One snapshot."""
    with psycopg.connect(database_url, row_factory=namedtuple_row) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")

        def rows(query: str) -> list[Row]:
            return connection.execute(query.encode()).fetchall()

        return Books(
            meters={row.id: row for row in rows("SELECT * FROM meter")},
            entries=_grouped(rows("SELECT * FROM entry ORDER BY meter_id, seq"), "meter_id"),
            messages=_grouped(rows("SELECT * FROM message ORDER BY at, key"), "key"),
            requests={row.digest: row.body for row in rows("SELECT digest, body FROM request")},
            last_numbers={
                (row.device_id, row.epoch): row.last_number
                for row in rows("SELECT * FROM device_number")
            },
            meter_of_table={
                row.id: row.meter_id for row in rows("SELECT id, meter_id FROM gaming_table")
            },
        )


def _grouped(rows: Sequence[Row], column: str) -> dict[str, list[Row]]:
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, column)].append(row)
    return dict(groups)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest(purpose: str, value: object) -> str:
    return hashlib.sha256(f"prize-meter {purpose} 1\n".encode() + canonical(value)).hexdigest()


def genesis(meter: str) -> bytes:
    return hashlib.sha256(f"prize-meter journal 1\n{meter}".encode()).digest()


def open_receipt(note: str, verifier_key: str) -> Json | None:
    """What a receipt says, if this key has signed it; the key as it was given out."""
    name, _, encoded = verifier_key.split("+", 2)
    text, _, signature_line = note.partition("\n\n")
    dash, signer, signature = signature_line.rstrip("\n").split(" ")
    if (dash, signer) != ("\u2014", name):
        return None
    signed = f"{text}\n".encode()
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(encoded)[1:])
    try:
        public.verify(base64.b64decode(signature)[4:], signed)
    except InvalidSignature:
        return None
    purpose, _, body = text.partition("\n")
    return dict(json.loads(body)) if purpose == "prize-meter receipt 1" else None
