"""What the table has said, on its own disk: numbered before it counts, kept until it is safe.

A message is on the disk with its number before anybody is told that it was accepted, and numbers
are given out here alone. ``synchronous=FULL`` is what makes that true when the power fails: with
NORMAL, SQLite may lose what it has committed (docs/agent.md).
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby

from pydantic import ValidationError

from meter_server.contract.canonical import canonical_json
from meter_server.contract.checkpoints import Checkpoint
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from meter_server.contract.messages import MESSAGES_MAX, Message, RegisterWagers
from table_agent.link import Answered
from table_agent.ports import Disk, DiskFailed, DiskFull, Row

FREE_BYTES_MIN = 32 * 1024 * 1024
"""Below this nothing new is accepted: what is queued must still get its answers written."""
KEPT_MESSAGES = 500
"""The last ones stay, answered and safe or not: people ask about them."""
KEPT_TAPS = 100_000
"""Some days of a busy table."""

_SCHEMA = (
    # The answer is null until the server has given one; then its receipt stands beside it.
    """CREATE TABLE IF NOT EXISTS message (
        device TEXT NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL,
        body TEXT NOT NULL,
        answer TEXT, receipt TEXT, meter TEXT, meter_seq INTEGER, head TEXT,
        PRIMARY KEY (device, epoch, number),
        CHECK ((answer IS NULL) = (receipt IS NULL))
    ) STRICT""",
    # Every touch of the console, undone ones too, for disputes. Never a PIN.
    """CREATE TABLE IF NOT EXISTS tap (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT""",
    # What the console must know again after a restart.
    "CREATE TABLE IF NOT EXISTS memory (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
_FULL = 2
_FULL_DISK = (
    "This tablet's disk is full and nothing was accepted: take no Jackpot wagers, and use another "
    "tablet."
)


class NotKept(DeviceError):  # noqa: N818 - an answer
    """Nothing was accepted: the disk cannot keep it."""


class HistoryLost(DeviceError):  # noqa: N818 - as above
    """The server no longer has what it gave receipts for, or has something else."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} It was restored from an old copy: take no Jackpot wagers and call the "
            "operator."
        )


@dataclass(frozen=True, slots=True)
class Item:
    """One message, and what became of it."""

    message: Json
    answer: Json | None

    @property
    def number(self) -> int:
        return int(self.message["number"])


class Outbox:
    """Of one device in one epoch. Safe to use from several threads."""

    def __init__(self, disk: Disk, device: str, epoch: int) -> None:
        self._disk = disk
        self._own = (device, epoch)
        self._began = f"{device}/{epoch}/"
        """What the name of every round that begins here begins with."""
        self._lock = threading.RLock()
        self._failed: str | None = None
        try:
            _prepare(disk)
        except DiskFailed as error:
            raise NotKept(
                f"The outbox of this tablet cannot be used ({error}): use another tablet."
            ) from None

    def put(self, at: str, actor: str, command: Json, grant: str | None = None) -> int:
        """Accept a message: it is on the disk, under its number, when this returns."""
        with self._writing():
            number = self.last_number + 1
            message: Json = {
                "number": number,
                "agent_at": at,
                "actor": actor,
                "grant": grant,
                "command": command,
            }
            self._require_own(_well_formed(message))
            self._disk.rows(
                "INSERT INTO message (device, epoch, number, body) VALUES (?, ?, ?, ?)",
                *self._own,
                number,
                canonical_json(message).decode("ascii"),
            )
        return number

    def queued(self, most: int = MESSAGES_MAX) -> list[Json]:
        """What the server has not answered, in the order of numbers."""
        found = self._read(
            "SELECT body FROM message WHERE device = ? AND epoch = ? AND answer IS NULL"
            " ORDER BY number LIMIT ?",
            *self._own,
            most,
        )
        return [json.loads(body) for (body,) in found]

    def queued_count(self) -> int:
        return self._only(
            "SELECT count(*) FROM message WHERE device = ? AND epoch = ? AND answer IS NULL"
        )

    @property
    def last_number(self) -> int:
        return self._only(
            "SELECT coalesce(max(number), 0) FROM message WHERE device = ? AND epoch = ?"
        )

    @property
    def next_round(self) -> str:
        """The name of a round that begins with the next message."""
        return f"{self._began}{self.last_number + 1}"

    @property
    def last_answered(self) -> int:
        return self._only(
            "SELECT coalesce(max(number), 0) FROM message WHERE device = ? AND epoch = ?"
            " AND answer IS NOT NULL"
        )

    def answered(self, answers: Sequence[Answered]) -> None:
        """Keep answers and receipts, if they fit what was recorded before: heads only grow."""
        with self._writing(accepting=False):
            for one in answers:
                self._require_growth(one)
                receipt = one.receipt
                self._disk.rows(
                    "UPDATE message SET answer = ?, receipt = ?, meter = ?, meter_seq = ?, head = ?"
                    " WHERE device = ? AND epoch = ? AND number = ?",
                    canonical_json(one.answer).decode("ascii"),
                    one.note,
                    receipt.meter,
                    receipt.meter_seq,
                    receipt.head,
                    *self._own,
                    receipt.number,
                )

    def last_receipt(self) -> str | None:
        found = self._read(
            "SELECT receipt FROM message WHERE device = ? AND epoch = ? AND answer IS NOT NULL"
            " ORDER BY number DESC LIMIT 1",
            *self._own,
        )
        return found[0][0] if found else None

    def items(self, after: int = 0) -> list[Item]:
        """Messages of a higher number, answered or not, in order."""
        found = self._read(
            "SELECT body, answer FROM message WHERE device = ? AND epoch = ? AND number > ?"
            " ORDER BY number",
            *self._own,
            after,
        )
        return [
            Item(json.loads(body), None if answer is None else json.loads(answer))
            for body, answer in found
        ]

    def item(self, number: int) -> Item | None:
        return next((item for item in self.items(number - 1)[:1] if item.number == number), None)

    def stranded(self) -> dict[tuple[str, int], list[Json]]:
        """What was never answered before this device was enrolled anew: it cannot be sent now."""
        found = self._read(
            "SELECT device, epoch, body FROM message WHERE answer IS NULL"
            " AND (device, epoch) <> (?, ?) ORDER BY device, epoch, number",
            *self._own,
        )
        return {
            owner: [json.loads(body) for _, _, body in rows]
            for owner, rows in groupby(found, key=lambda row: (row[0], row[1]))
        }

    def covered(self, checkpoint: Checkpoint) -> int:
        """Forget what a checkpoint kept elsewhere proves, save the last messages; how many.

        A checkpoint holds all meters at one moment, so where it covers one message it covers every
        earlier one of this device too.
        """
        with self._writing(accepting=False):
            proven = 0
            for head in checkpoint.heads:
                self._require_same(head.meter, head.seq, head.hash)
                last = self._only(
                    "SELECT coalesce(max(number), 0) FROM message WHERE device = ? AND epoch = ?"
                    " AND meter = ? AND meter_seq <= ?",
                    head.meter,
                    head.seq,
                )
                proven = max(proven, last)
            forgotten = self._disk.rows(
                "DELETE FROM message WHERE device = ? AND epoch = ? AND number <= ?"
                " AND answer IS NOT NULL RETURNING number",
                *self._own,
                min(proven, self.last_number - KEPT_MESSAGES),
            )
        return len(forgotten)

    def tap(self, at: str, body: Json) -> None:
        """Keep one touch of the console."""
        with self._writing(accepting=False):
            [(last,)] = self._disk.rows(
                "INSERT INTO tap (at, body) VALUES (?, ?) RETURNING id",
                at,
                canonical_json(body).decode("ascii"),
            )
            self._disk.rows("DELETE FROM tap WHERE id <= ?", last - KEPT_TAPS)

    def taps(self, most: int = 100) -> list[tuple[str, Json]]:
        """The last ones, the newest first."""
        found = self._read("SELECT at, body FROM tap ORDER BY id DESC LIMIT ?", most)
        return [(at, json.loads(body)) for at, body in found]

    def remember(self, name: str, value: Json) -> None:
        with self._writing(accepting=False):
            self._disk.rows(
                "INSERT INTO memory (name, value) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                name,
                canonical_json(value).decode("ascii"),
            )

    def recall(self, name: str) -> Json | None:
        found = self._read("SELECT value FROM memory WHERE name = ?", name)
        return json.loads(found[0][0]) if found else None

    def _read(self, sql: str, *values: str | int) -> list[Row]:
        with self._lock:
            try:
                return self._disk.rows(sql, *values)
            except DiskFailed as error:
                raise NotKept(f"This tablet's disk cannot be read ({error}).") from None

    @contextmanager
    def _writing(self, *, accepting: bool = True) -> Iterator[None]:
        with self._lock:
            if self._failed is not None:
                raise NotKept(self._failed)
            if accepting and self._disk.free_bytes() < FREE_BYTES_MIN:
                raise NotKept(_FULL_DISK)
            try:
                with self._disk.transaction():
                    yield
            except DiskFull:
                raise NotKept(_FULL_DISK) from None
            except DiskFailed as error:
                # Whether the last flush reached the disk is not known, so nothing more is written
                # over it: a restart reads what is there.
                self._failed = (
                    f"This tablet's disk failed ({error}) and nothing more is accepted: take no "
                    "Jackpot wagers, use another tablet, and restart this one to see what it kept."
                )
                raise NotKept(self._failed) from None

    def _only(self, sql: str, *more: str | int) -> int:
        """The one number that a question about our own messages has for an answer."""
        [(number,)] = self._read(sql, *self._own, *more)
        return int(number)

    def _require_own(self, message: Message) -> None:
        """The server hears nothing of a request in which a round begins under another's name.
        Rounds that began elsewhere may end here: a tablet takes a table over with its round."""
        command = message.command
        if isinstance(command, RegisterWagers) and not command.round.startswith(self._began):
            raise DeviceError(
                f"A round that begins here is named {self._began} and a number, such as "
                f"{self.next_round}: name it so and send it again."
            )

    def _require_growth(self, answered: Answered) -> None:
        receipt = answered.receipt
        if receipt.meter is None or receipt.meter_seq is None:
            return
        [(seq,)] = self._disk.rows(
            "SELECT max(meter_seq) FROM message WHERE meter = ? AND device = ? AND epoch = ?"
            " AND number < ?",
            receipt.meter,
            *self._own,
            receipt.number,
        )
        if seq is not None and receipt.meter_seq < seq:
            raise HistoryLost(
                f"The server had {seq} entries of the meter {receipt.meter} and says now that it "
                f"has {receipt.meter_seq}."
            )
        self._require_same(receipt.meter, receipt.meter_seq, str(receipt.head))

    def _require_same(self, meter: str, seq: int, head: str) -> None:
        other = self._disk.rows(
            "SELECT head FROM message WHERE meter = ? AND meter_seq = ? AND head <> ?",
            meter,
            seq,
            head,
        )
        if other:
            raise HistoryLost(f"Entry {seq} of the meter {meter} is another one than it was.")


def _prepare(disk: Disk) -> None:
    """Durable, or not used at all: SQLite may answer a pragma with something else."""
    [(mode,)] = disk.rows("PRAGMA journal_mode = WAL")
    disk.rows("PRAGMA synchronous = FULL")
    [(synchronous,)] = disk.rows("PRAGMA synchronous")
    if (mode, synchronous) != ("wal", _FULL):
        raise DiskFailed(f"SQLite works in mode {mode}, {synchronous}, which may lose messages")
    [(health, *_), *_] = disk.rows("PRAGMA quick_check")
    if health != "ok":
        raise DiskFailed(f"the outbox is damaged: {health}")
    with disk.transaction():
        for statement in _SCHEMA:
            disk.rows(statement)


def _well_formed(message: Json) -> Message:
    """What the server could not read must not stand in the way of what comes after it."""
    try:
        return Message.model_validate_json(canonical_json(message))
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False, include_context=False)
        place = ".".join(str(step) for step in first["loc"])
        raise DeviceError(f"That is no message: '{place}': {first['msg']}.") from None
