"""Changes to the live database by somebody who may do anything there: the superuser.

Triggers are off and constraints are gone, as they would be for whoever owns the machine. Everything
happens in a transaction that is rolled back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from psycopg import Connection, sql

from tests.integration.verify.tampers import refusal

CONSTRAINED = ("entry", "message", "request", "device_key", "device_number", "meter", "checkpoint")
COLUMNS = {
    "entry": (
        *("meter_id", "seq", "kind", "amount_micros", "before_micros", "after_micros", "epoch"),
        *("at", "table_id", "round_id", "message", "body", "previous", "hash"),
    ),
    "message": ("key", "at", "answer", "request", "digest"),
    "request": ("digest", "body", "key_id", "signature_input", "signature"),
    "meter": (
        *("option_number", "seed_dollars", "cost_cents", "value_micros", "seq", "epoch", "head"),
        *("at", "base_micros", "credited_micros", "reversed_micros", "prizes_micros"),
        *("transferred_micros", "extra_micros", "turnover_micros", "training", "state"),
    ),
    "device_number": ("last_number", "epoch"),
    "device_key": ("id", "public_key", "epoch", "device_id"),
    "checkpoint": ("number", "note", "messages"),
}
"""What an export shows, but for what nothing vouches for (see tampers.UNSIGNED)."""
NAMES = {
    "entry": (
        *("meter {meter_id} seq {seq}", "entry {seq} of {meter_id}", "seq should be {seq}"),
        "{message}",
    ),
    "message": ("{key}", "{request}"),
    "request": ("{digest}",),
    "meter": ("meter {id}",),
    "device_number": ("device:{device_id}:", "device {device_id} "),
    "device_key": ("{id}",),
    "checkpoint": (
        *("checkpoint {number}", "checkpoint's should be {number}"),
        "the first number should be {number}",
    ),
}


@dataclass(frozen=True)
class Changed:
    what: str
    at: frozenset[str]


@contextmanager
def undone(connection: Connection) -> Iterator[None]:
    """Nothing holds a superuser back, and nothing of it stays."""
    try:
        connection.execute("SET LOCAL session_replication_role = replica")
        found = connection.execute(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint"
            " WHERE contype IN ('c', 'f', 'p') AND conrelid::regclass::text = ANY (%s)",
            [list(CONSTRAINED)],
        ).fetchall()
        for table, name in found:
            drop = sql.SQL("ALTER TABLE {} DROP CONSTRAINT IF EXISTS {} CASCADE")
            connection.execute(drop.format(sql.Identifier(table), sql.Identifier(name)))
        yield
    finally:
        connection.rollback()


def change_a_column(connection: Connection, random: Random) -> Changed:
    table = random.choice((*COLUMNS, "entry", "entry", "message"))
    column = random.choice(COLUMNS[table])
    place, row = _any_row(connection, table, random)
    value = _other(row[column], random)
    update = sql.SQL("UPDATE {} SET {} = %s WHERE ctid = %s::tid")
    connection.execute(update.format(sql.Identifier(table), sql.Identifier(column)), (value, place))
    return Changed(f"{table}.{column}", _named(table, row) | _named(table, {**row, column: value}))


def delete_a_row(connection: Connection, random: Random) -> Changed:
    table = random.choice(("entry", "entry", "message", "request", "checkpoint", "device_number"))
    place, row = _any_row(connection, table, random)
    delete = sql.SQL("DELETE FROM {} WHERE ctid = %s::tid").format(sql.Identifier(table))
    connection.execute(delete, [place])
    named = _named(table, row)
    if table == "request":  # its messages are there and it is not
        keys = connection.execute("SELECT key FROM message WHERE request = %s", [row["digest"]])
        named |= {key for (key,) in keys.fetchall()}
    return Changed(f"{table} deleted", named)


def insert_an_entry(connection: Connection, random: Random) -> Changed:
    """A copy of another one, at the end of its meter."""
    _, row = _any_row(connection, "entry", random)
    connection.execute(
        "INSERT INTO entry SELECT meter_id,"
        " (SELECT max(seq) + 1 FROM entry WHERE meter_id = %(m)s), kind, amount_micros,"
        " before_micros, after_micros, epoch, at, table_id, round_id, message,"
        " body, previous, hash FROM entry WHERE meter_id = %(m)s AND seq = %(seq)s",
        {"m": row["meter_id"], "seq": row["seq"]},
    )
    found = connection.execute(
        "SELECT max(seq) FROM entry WHERE meter_id = %s", [row["meter_id"]]
    ).fetchone()
    assert found is not None
    return Changed("entry inserted", _named("entry", {**row, "seq": found[0]}))


def insert_a_message(connection: Connection, random: Random) -> Changed:
    """Somebody asked for something long before everything else, and was refused."""
    key, at = f"staff:4001:{random.randrange(10**9)}", "2020-01-01T00:00:00.000000Z"
    connection.execute(
        "INSERT INTO message (key, digest, at, answer, request) VALUES (%s, %s, %s, %s, NULL)",
        (key, random.randbytes(32), at, refusal(key, at).encode()),
    )
    return Changed("message inserted", frozenset({key}))


def swap_two_entries(connection: Connection, random: Random) -> Changed:
    """Two neighbours change places: each has the other's number."""
    _, row = _any_row(connection, "entry", random)
    meter, seq = row["meter_id"], max(row["seq"], 2)
    move = "UPDATE entry SET seq = %s WHERE meter_id = %s AND seq = %s"
    for new, old in ((-1, seq), (seq, seq - 1), (seq - 1, -1)):
        connection.execute(move, (new, meter, old))
    named = _named("entry", {**row, "seq": seq}) | _named("entry", {**row, "seq": seq - 1})
    return Changed("entries swapped", named)


def cut_the_journal(connection: Connection, random: Random) -> Changed:
    """The last entries of a meter are gone, and its row says that they never were."""
    _, row = _any_row(connection, "entry", random)
    meter, seq = row["meter_id"], max(row["seq"], 2)
    gone = connection.execute(
        "DELETE FROM entry WHERE meter_id = %s AND seq >= %s RETURNING *", (meter, seq)
    )
    names = [column.name for column in gone.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in gone.fetchall()]
    connection.execute(
        "UPDATE meter SET seq = e.seq, head = e.hash, value_micros = e.after_micros, at = e.at,"
        " epoch = e.epoch FROM entry AS e WHERE e.meter_id = meter.id AND e.seq = %s AND id = %s",
        (seq - 1, meter),
    )
    return Changed("tail cut", frozenset().union(*(_named("entry", row) for row in rows)))


TAMPERS: tuple[Callable[[Connection, Random], Changed], ...] = (
    *(change_a_column,) * 5,
    delete_a_row,
    delete_a_row,
    insert_an_entry,
    insert_a_message,
    swap_two_entries,
    cut_the_journal,
)


def _any_row(connection: Connection, table: str, random: Random) -> tuple[str, dict[str, Any]]:
    cursor = connection.execute(
        sql.SQL("SELECT ctid::text, * FROM {} ORDER BY 2, 3").format(sql.Identifier(table))
    )
    names = [column.name for column in cursor.description or ()]
    place, *values = random.choice(cursor.fetchall())
    return place, dict(zip(names[1:], values, strict=True))


def _named(table: str, row: dict[str, Any]) -> frozenset[str]:
    readable = {
        name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()
    }
    return frozenset(words.format(**readable) for words in NAMES[table])


def _other(value: Any, random: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + random.choice((1, 2, 1_000_000))
        case bytes():
            place = random.randrange(len(value))
            return value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
        case datetime():
            return value + timedelta(microseconds=random.choice((1, 10**6)))
        case None:
            return "x"
    place = random.randrange(len(value))
    return value[:place] + ("8" if value[place] == "7" else "7") + value[place + 1 :]
