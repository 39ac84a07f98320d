"""The outbox: what it accepts, refuses, forgets and finds out."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from meter_server.contract.checkpoints import Checkpoint, Covered, Head, first_previous
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.receipts import Receipt, Result, receipt_text
from table_agent import outbox as module
from table_agent.disk import SqliteDisk
from table_agent.link import Answered
from table_agent.outbox import FREE_BYTES_MIN, HistoryLost, NotKept, Outbox
from table_agent.ports import DiskFailed, DiskFull, Row, Value
from tests.unit.contract.keys import ORIGIN

AT = "2027-03-01T02:00:00.000000Z"
COMMAND: dict[str, Any] = {"kind": "report-gates", "table": "T1", "failing": []}
WAGERS: dict[str, Any] = {
    "kind": "register-wagers",
    "table": "T1",
    "seats": [1],
    "cost_cents": 500,
}


class Disk(SqliteDisk):
    """A real one, on which a test can pour sand."""

    free: int | None = None
    failing: type[DiskFailed] | None = None

    def rows(self, sql: str, *values: Value) -> list[Row]:
        if self.failing is not None and sql.startswith("INSERT"):
            raise self.failing("as the test wants it")
        return super().rows(sql, *values)

    def free_bytes(self) -> int:
        return super().free_bytes() if self.free is None else self.free


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path / "outbox.sqlite")
    yield disk
    disk.close()


@pytest.fixture
def outbox(disk: Disk) -> Outbox:
    return Outbox(disk, "t1-a", 1)


def put(outbox: Outbox) -> int:
    return outbox.put(AT, "1001", COMMAND)


def answer(number: int, seq: int | None = None, head: str | None = None) -> Answered:
    seq = number if seq is None else seq
    receipt = Receipt(
        origin=ORIGIN,
        device="t1-a",
        epoch=1,
        number=number,
        message="0" * 64,
        result=Result.ACCEPTED,
        answer="0" * 64,
        at=AT,
        entries=1,
        meter="one",
        meter_seq=seq,
        head=head or f"{seq:064x}",
    )
    return Answered({"answer": "accepted"}, False, receipt_text(receipt), receipt)


def checkpoint(seq: int, head: str | None = None) -> Checkpoint:
    one = Head(meter="one", seq=seq, hash=head or f"{seq:064x}")
    return Checkpoint(
        origin=ORIGIN,
        number=1,
        at=AT,
        previous=first_previous(ORIGIN),
        messages=Covered.of(""),
        heads=(one,),
    )


def test_numbers_run_from_one_and_go_on_after_a_restart(disk: Disk, outbox: Outbox) -> None:
    assert [put(outbox) for _ in range(3)] == [1, 2, 3]
    again = Outbox(disk, "t1-a", 1)
    assert (put(again), again.queued_count()) == (4, 4)
    assert [message["number"] for message in again.queued(2)] == [1, 2]


def test_it_is_written_ahead_and_flushed(disk: Disk, outbox: Outbox) -> None:
    assert outbox.last_number == 0
    assert disk.rows("PRAGMA journal_mode") == [("wal",)]
    assert disk.rows("PRAGMA synchronous") == [(2,)]  # FULL


def test_a_new_epoch_begins_at_one_and_shows_what_was_stranded(disk: Disk, outbox: Outbox) -> None:
    put(outbox)
    put(outbox)
    outbox.answered([answer(1)])
    anew = Outbox(disk, "t1-a", 2)
    assert (put(anew), anew.queued_count()) == (1, 1)
    assert [one["number"] for one in anew.stranded()["t1-a", 1]] == [2]


def test_a_full_disk_refuses_before_accepting_and_goes_on_when_there_is_room(
    disk: Disk, outbox: Outbox
) -> None:
    disk.free = FREE_BYTES_MIN - 1
    with pytest.raises(NotKept, match="disk is full and nothing was accepted"):
        put(outbox)
    disk.free = None
    disk.failing = DiskFull
    with pytest.raises(NotKept, match="disk is full and nothing was accepted"):
        put(outbox)
    disk.failing = None
    assert (put(outbox), outbox.queued_count()) == (1, 1)


def test_a_really_full_disk_refuses_before_accepting(disk: Disk, outbox: Outbox) -> None:
    put(outbox)
    [(pages,)] = disk.rows("PRAGMA page_count")
    disk.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotKept, match="disk is full"):
        _put_until_it_is_full(outbox)
    accepted = outbox.last_number
    disk.rows("PRAGMA max_page_count = 1000000")
    assert (outbox.queued_count(), put(outbox)) == (accepted, accepted + 1)


def test_after_a_failed_write_nothing_is_written_over_it(disk: Disk, outbox: Outbox) -> None:
    put(outbox)
    disk.failing = DiskFailed
    with pytest.raises(NotKept, match="restart this one to see what it kept"):
        put(outbox)
    disk.failing = None
    with pytest.raises(NotKept, match="restart"):
        put(outbox)
    assert put(Outbox(disk, "t1-a", 1)) == 2


def test_what_the_server_could_not_read_is_not_accepted(outbox: Outbox) -> None:
    with pytest.raises(DeviceError, match="That is no message"):
        outbox.put(AT, "1001", {"kind": "report-gates", "table": "T1", "failing": [1.5]})
    assert outbox.last_number == 0


@pytest.mark.parametrize("named", ["t9-a/1/2", "t1-a/2/2", "t1-a/12/2", "t1-ab/1/2"])
def test_a_round_that_begins_elsewhere_gets_no_number(outbox: Outbox, named: str) -> None:
    """The server hears nothing of a request with it, so what is queued behind it would wait for
    ever."""
    put(outbox)
    with pytest.raises(DeviceError) as refused:
        outbox.put(AT, "1001", {**WAGERS, "round": named})
    assert str(refused.value) == (
        "A round that begins here is named t1-a/1/ and a number, such as t1-a/1/2: name it so and "
        "send it again."
    )
    assert (outbox.last_number, outbox.queued_count()) == (1, 1)
    assert outbox.put(AT, "1001", {**WAGERS, "round": "t1-a/1/2"}) == 2


def test_a_round_that_began_at_another_tablet_ends_here(outbox: Outbox) -> None:
    outcome = {"kind": "record-outcome", "round": "t9-a/1/2", "hands": []}
    corrected = {"kind": "correct-bonus", "round": "t9-a/1/2", "hands": []}
    assert outbox.put(AT, "1001", {**outcome, "shared_cards": "", "case": None}) == 1
    assert outbox.put(AT, "1001", corrected) == 2


def test_receipts_of_a_meter_only_grow(outbox: Outbox) -> None:
    for _ in range(4):
        put(outbox)
    outbox.answered([answer(1, seq=7)])
    with pytest.raises(HistoryLost, match=r"had 7 entries .* and says now that it has 6"):
        outbox.answered([answer(2, seq=6)])
    with pytest.raises(HistoryLost, match="Entry 7 of the meter one is another one"):
        outbox.answered([answer(2, seq=7, head="f" * 64)])
    outbox.answered([answer(2, seq=7), answer(3, seq=9)])
    assert outbox.last_answered == 3


def test_a_checkpoint_elsewhere_must_agree_with_the_receipts(outbox: Outbox) -> None:
    put(outbox)
    outbox.answered([answer(1, seq=5)])
    with pytest.raises(HistoryLost, match="Entry 5 of the meter one is another one"):
        outbox.covered(checkpoint(5, "e" * 64))
    assert outbox.covered(checkpoint(5)) == 0


def test_only_what_is_covered_and_long_past_is_forgotten(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_MESSAGES", 3)
    for number in range(1, 11):
        put(outbox)
        if number < 9:
            outbox.answered([answer(number)])
    assert outbox.covered(checkpoint(4)) == 4
    assert [item.number for item in outbox.items()] == [5, 6, 7, 8, 9, 10]
    # Seven is among the last three of ten; nine and ten are not answered.
    assert outbox.covered(checkpoint(8)) == 3
    assert [item.number for item in outbox.items()] == [8, 9, 10]
    assert put(outbox) == 11


def test_taps_are_kept_up_to_a_bound(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_TAPS", 5)
    for seat in range(1, 9):
        outbox.tap(AT, {"tap": "seat", "seat": seat})
    assert [body["seat"] for _, body in outbox.taps()] == [8, 7, 6, 5, 4]


def test_a_damaged_file_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "outbox.sqlite"
    file.write_bytes(b"not a database at all, not by far" * 100)
    with _open(file) as disk, pytest.raises(NotKept, match="use another tablet"):
        Outbox(disk, "t1-a", 1)


@contextmanager
def _open(file: Path) -> Iterator[SqliteDisk]:
    disk = SqliteDisk(file)
    try:
        yield disk
    finally:
        disk.close()


def _put_until_it_is_full(outbox: Outbox) -> None:
    for _ in range(1000):
        put(outbox)
