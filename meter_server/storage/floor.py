"""The floor in PostgreSQL: one query to read it, one statement to write it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import orjson
import psycopg
from psycopg import Connection, errors
from psycopg.types.json import Jsonb

from meter_server import failpoints
from meter_server.domain.entries import Entry, timestamp
from meter_server.domain.floor import Floor
from meter_server.domain.meter import Meter
from meter_server.failpoints import Place
from meter_server.storage import codec
from meter_server.storage.database import Database
from meter_server.storage.queries import queries
from meter_server.storage.rows import Head, Loaded, Needs, OutcomeUnknown, StoredEntry, Write

Value = TypeVar("Value")
Row = dict[str, Any]

# Another server was first: it opened the same thing, or holds what we wait for the other way round.
_MOVED = (
    errors.UniqueViolation,
    errors.DeadlockDetected,
    errors.SerializationFailure,
)
_CANCELLED_WAIT = "canceling wait for synchronous replication"


class PostgresFloor:
    """The store of the door."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, needs: Needs) -> Loaded:
        """Read without deciding anything."""
        with self._database.connection() as connection:
            return load_floor(connection, needs)

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        notices: list[str] = []

        def listen(diagnostic: errors.Diagnostic) -> None:
            notices.append(diagnostic.message_primary or "")

        with self._database.connection() as connection:
            failpoints.reach(Place.LOADING)
            connection.add_notice_handler(listen)
            try:
                kept = (_locking if locking else _optimistic)(connection, needs, decide)
            except _MOVED:
                return False
            except (psycopg.OperationalError, psycopg.InterfaceError) as lost:
                raise OutcomeUnknown(str(lost)) from lost
            finally:
                connection.remove_notice_handler(listen)
        if any(_CANCELLED_WAIT in notice for notice in notices):
            # The commit returned although no standby confirmed it: a fail-over could lose it.
            raise OutcomeUnknown(_CANCELLED_WAIT)
        return kept


def _optimistic(connection: Connection, needs: Needs, decide: Callable[[Loaded], Write]) -> bool:
    """Two autocommit statements: one flush, and the second does nothing if the first is stale."""
    return store_floor(connection, decide(load_floor(connection, needs)))


def _locking(connection: Connection, needs: Needs, decide: Callable[[Loaded], Write]) -> bool:
    """Lock first, in the one order, then load and decide."""
    seen = load_floor(connection, needs)
    with connection.transaction():
        queries.lock_floor(
            connection,
            devices=list(needs.devices),
            all_systems=needs.all_systems,
            meters=list(seen.floor.meters),
        )
        failpoints.reach(Place.LOCKED)
        return store_floor(connection, decide(load_floor(connection, needs)))


def load_floor(connection: Connection, needs: Needs) -> Loaded:
    """One snapshot of what a batch needs."""
    *lists, floor_version = queries.load_floor(
        connection,
        tables=list(needs.tables),
        rounds=list(needs.rounds),
        awards=list(needs.awards),
        notices=list(needs.notices),
        meters=list(needs.meters),
        all_systems=needs.all_systems,
        awards_of_rounds=list(needs.awards_of_rounds),
        contested_rounds=list(needs.contested_rounds),
        undecided=needs.undecided,
        last_rounds=needs.last_rounds,
        history_of_rounds=list(needs.history_of_rounds),
        messages=list(needs.messages),
        devices=list(needs.devices),
    )
    return _loaded(*(rows or [] for rows in lists), floor_version=floor_version)


def store_floor(connection: Connection, write: Write) -> bool:
    """All of it, or nothing where something is no longer as it was read."""
    failpoints.reach(Place.DECIDED)
    failpoints.begin(Place.STORING)
    return bool(queries.store_floor(connection, writes=Jsonb(_writes(write), dumps=orjson.dumps)))


def _loaded(
    meters: list[Row],
    tables: list[Row],
    rounds: list[Row],
    awards: list[Row],
    notices: list[Row],
    entries: list[Row],
    messages: list[Row],
    numbers: list[Row],
    *,
    floor_version: int,
) -> Loaded:
    versions: dict[tuple[str, str], int] = {}

    def read(kind: str, rows: list[Row], value_of: Callable[[Any], Value]) -> dict[str, Value]:
        versions.update({(kind, row["id"]): row["version"] for row in rows})
        return {row["id"]: value_of(row["body"]) for row in rows}

    history: dict[str, list[Entry]] = {}
    for row in entries:
        history.setdefault(row["meter_id"], []).append(codec.entry_from_body(row["body"]))
    return Loaded(
        floor=Floor(
            meters={row["id"]: codec.METER.validate_python(row) for row in meters},
            tables=read("table", tables, codec.TABLE.validate_python),
            rounds=read("round", rounds, codec.ROUND.validate_python),
            awards=read("award", awards, codec.AWARD.validate_python),
            notices=read("notice", notices, codec.notice_from_json),
            history={meter_id: tuple(found) for meter_id, found in history.items()},
        ),
        versions=versions,
        heads={row["id"]: Head(bytes.fromhex(row["head"]), row["at_us"]) for row in meters},
        answers={
            row["key"]: (bytes.fromhex(row["digest"]), row["answer"].encode()) for row in messages
        },
        last_numbers={(row["device_id"], row["epoch"]): row["last_number"] for row in numbers},
        floor_version=floor_version,
    )


def _writes(write: Write) -> Row:
    return {
        "floor": write.read.floor_version if write.moves_systems else None,
        "repeats_to_people": write.repeats_to_people,
        "numbers": [
            {
                "device_id": device_id,
                "epoch": epoch,
                "expected": write.read.last_numbers.get((device_id, epoch), 0),
                "last_number": last,
            }
            for (device_id, epoch), last in write.numbers.items()
        ],
        "meters": [_meter(write, meter) for meter in write.meters.values()],
        "rows": list(_rows(write)),
        "entries": [_entry(stored) for stored in write.entries],
        "messages": [
            {
                "key": message.key,
                "digest": message.digest.hex(),
                "at": timestamp(message.at_us),
                "answer": message.answer.decode(),
                "request": None if message.request is None else message.request.digest.hex(),
            }
            for message in write.messages
        ],
        "requests": list(_requests(write)),
    }


def _requests(write: Write) -> Iterator[Row]:
    """Each request once, however many messages it brought."""
    for message in {stored.request: stored for stored in write.messages}.values():
        if message.request is not None:
            yield {
                "digest": message.request.digest.hex(),
                "body": message.request.body.hex(),
                "key_id": message.request.key_id,
                "signature_input": message.request.signature_input,
                "signature": message.request.signature,
                "at": timestamp(message.at_us),
            }


def _meter(write: Write, meter: Meter) -> Row:
    known = write.read.floor.meters.get(meter.id)
    head = write.heads[meter.id]
    sums = meter.sums
    return {
        "id": meter.id,
        "expected": 0 if known is None else known.seq,
        "training": meter.training,
        "state": meter.state.value,
        "option_number": meter.terms.option_number,
        "seed_dollars": meter.terms.seed_dollars,
        "cost_cents": meter.terms.cost_cents,
        "value_micros": meter.value_micros,
        "seq": meter.seq,
        "epoch": meter.epoch,
        "base_micros": meter.base_micros,
        "credited": sums.credited,
        "reversed": sums.reversed,
        "prizes": sums.prizes,
        "transferred": sums.transferred,
        "extra": sums.extra,
        "turnover": sums.turnover,
        "head": head.hash.hex(),
        "at": timestamp(head.at_us),
    }


def _rows(write: Write) -> Iterator[Row]:
    for table in write.tables.values():
        body = codec.TABLE.dump_python(table, mode="json")
        yield _row(write.read.versions, "table", table.id, body, meter_id=table.meter_id)
    for round_ in write.rounds.values():
        body = codec.ROUND.dump_python(round_, mode="json")
        yield _row(
            write.read.versions,
            "round",
            round_.id,
            body,
            table_id=round_.table_id,
            meter_id=round_.meter_id,
            state=round_.state.value,
        )
    for award in write.awards.values():
        body = codec.AWARD.dump_python(award, mode="json")
        yield _row(
            write.read.versions,
            "award",
            award.id,
            body,
            meter_id=award.meter_id,
            round_id=award.round_id,
            state=award.state.value,
        )
    for notice in write.notices.values():
        body = codec.notice_to_json(notice)
        yield _row(write.read.versions, "notice", notice.id, body, state=notice.state.value)


def _row(
    versions: Mapping[tuple[str, str], int], kind: str, key: str, body: Row, **columns: str | None
) -> Row:
    expected = versions.get((kind, key), 0)
    return {"kind": kind, "id": key, "expected": expected, "body": body, **columns}


def _entry(stored: StoredEntry) -> Row:
    entry = stored.entry
    return {
        "meter_id": entry.meter_id,
        "seq": entry.seq,
        "kind": entry.kind.value,
        "amount": entry.amount_micros,
        "before": entry.before_micros,
        "after": entry.after_micros,
        "epoch": entry.epoch,
        "at": timestamp(stored.at_us),
        "table_id": entry.table_id,
        "round_id": entry.round_id,
        "message": stored.message,
        "body": stored.body.decode(),
        "previous": stored.previous.hex(),
        "hash": stored.hash.hex(),
    }
