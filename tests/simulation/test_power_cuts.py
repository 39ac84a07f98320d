"""Power cuts of the outbox at every disk operation: what the dealer saw survives."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from meter_server.contract.receipts import Receipt, Result, receipt_text
from table_agent.link import Answered
from table_agent.outbox import NotKept, Outbox
from tests.counts import FULL, count
from tests.simulation.power import Operation, Platter, PowerDisk, after_power_cut
from tests.simulation.tables import AT, DEVICE, EPOCH, METER
from tests.unit.contract.keys import ORIGIN

LIVES = count(reduced=4, full=40)
CUTS_OF_A_LIFE = count(reduced=50, full=250)
STEPS = 60


@dataclass(frozen=True)
class Seen:
    """What the dealer had been shown when so many disk operations were done."""

    after: int
    accepted: int
    recorded: int
    place: int


@dataclass(frozen=True)
class Life:
    operations: list[Operation]
    seen: list[Seen]

    def seen_before(self, cut: int) -> Seen:
        """The last thing shown, and shown before the power failed."""
        return self.seen[bisect_right(self.seen, cut, key=lambda seen: seen.after) - 1]


@cache
def _life(seed: int, synchronous: str) -> Life:
    chance, platter = Random(seed), Platter()  # noqa: S311 - a simulation
    disk = PowerDisk(platter, chance.choice([5, 20, 1000]), synchronous)
    outbox = Outbox(disk, DEVICE, EPOCH)
    recorded = place = 0
    seen = [Seen(len(platter.operations), 0, 0, 0)]
    for _ in range(STEPS):
        what = chance.random()
        if what < 0.5:
            outbox.put(AT, "1001", _command(outbox.last_number + 1))
        elif what < 0.8 and outbox.last_number > recorded:
            recorded += 1
            outbox.answered([_answer(recorded)])
        else:
            place += 1
            outbox.remember("place", {"place": place})
            outbox.tap(AT, {"tap": "seat", "seat": place % 9})
        seen.append(Seen(len(platter.operations), outbox.last_number, recorded, place))
    disk.close()
    return Life(list(platter.operations), seen)


def _command(number: int) -> dict[str, object]:
    return {"kind": "report-gates", "table": f"T{number}", "failing": []}


def _answer(number: int) -> Answered:
    receipt = Receipt(
        origin=ORIGIN,
        device=DEVICE,
        epoch=EPOCH,
        number=number,
        message="0" * 64,
        result=Result.ACCEPTED,
        answer="0" * 64,
        at=AT,
        entries=1,
        meter=METER,
        meter_seq=number,
        head=f"{number:064x}",
    )
    return Answered(
        {"answer": "accepted"}, replayed=False, note=receipt_text(receipt), receipt=receipt
    )


def _faults(life: Life, cut: int, chance: Random) -> list[str]:
    """Start the tablet again after a cut and compare with what had been shown."""
    disk = PowerDisk(after_power_cut(life.operations[:cut], chance), 1000)
    seen = life.seen_before(cut)
    try:
        outbox = Outbox(disk, DEVICE, EPOCH)
        return _compare(outbox, seen)
    except NotKept as error:
        return [f"the outbox cannot be opened: {error}"]
    finally:
        disk.close()


def _compare(outbox: Outbox, seen: Seen) -> list[str]:
    found = []
    items = outbox.items()
    if [item.number for item in items] != list(range(1, len(items) + 1)):
        found.append("numbers have a gap")
    if not seen.accepted <= len(items) <= seen.accepted + 1:
        found.append(f"{seen.accepted} were accepted and {len(items)} are there")
    if any(item.message["command"] != _command(item.number) for item in items):
        found.append("a message is not as it was")
    recorded = sum(item.answer is not None for item in items)
    if not seen.recorded <= recorded <= seen.recorded + 1:
        found.append(f"{seen.recorded} were seen as recorded and {recorded} are there")
    place = (outbox.recall("place") or {"place": 0})["place"]
    if not seen.place <= place <= seen.place + 1:
        found.append(f"the console stood at {seen.place} and is at {place}")
    if not found and outbox.put(AT, "1001", _command(len(items) + 1)) != len(items) + 1:
        found.append("the next number is wrong")
    return found


def _lost(seed: int, synchronous: str) -> list[tuple[int, list[str]]]:
    """Cut one life anywhere after its first start; cuts at one place tear the sectors anew."""
    life = _life(seed, synchronous)
    first, last = life.seen[0].after, len(life.operations)
    chance = Random(seed)  # noqa: S311 - a simulation
    cuts = [chance.randint(first, last) for _ in range(CUTS_OF_A_LIFE)]
    return [(cut, found) for cut in cuts if (found := _faults(life, cut, chance))]


@pytest.mark.timeout(0 if FULL else 300)
def test_what_the_dealer_saw_survives_every_power_cut(
    record_property: Callable[[str, object], None],
) -> None:
    """And with ``synchronous=NORMAL``, which may lose what it has committed, it does not."""
    cuts = LIVES * CUTS_OF_A_LIFE
    lost = {seed: found for seed in range(LIVES) if (found := _lost(seed, "FULL"))}
    assert lost == {}
    control = sum(len(_lost(seed, "NORMAL")) for seed in range(LIVES))
    assert control > cuts // 10
    record_property("power cuts of an outbox, nothing lost", cuts)
    record_property("power cuts with `synchronous=NORMAL` that lost something (control)", control)


def test_an_outbox_is_used_only_as_durable_as_it_must_be() -> None:
    class Careless(PowerDisk):
        def rows(self, sql: str, *values: str | int | None) -> list[tuple[object, ...]]:
            if sql == "PRAGMA synchronous":
                return [(1,)]
            return super().rows(sql, *values)

    disk = Careless(Platter(), 1000)
    with pytest.raises(NotKept, match="may lose messages"):
        Outbox(disk, DEVICE, EPOCH)
    disk.close()
