"""The writer lives through thousands of faulty days, and the books keep every promise."""

from collections import Counter
from dataclasses import replace

import pytest

from meter_server.recording.door import Status
from meter_server.storage.rows import Loaded, Needs, Write
from tests.counts import FULL, count
from tests.simulation import pages
from tests.simulation.invariants import complaints
from tests.simulation.servers import DEVICES, World
from tests.simulation.store import MemoryFloor

SEEDS = count(reduced=60, full=5_000)
TURNS = 40

HAPPENS = (
    *("kept", "stale", "overtaken", "answer lost"),
    *("lost before the commit", "lost after the commit"),
    *("killed before the commit", "killed after the commit"),
    *(Status.ANSWERED, Status.REPLAYED, Status.GAP),
)


@pytest.mark.timeout(0 if FULL else 300)
def test_nothing_acknowledged_is_lost_doubled_or_reordered() -> None:
    met: Counter[str] = Counter()
    for seed in range(SEEDS):
        world = World(seed)
        world.live(TURNS)
        assert complaints(world) == [], f"seed {seed}"
        met += world.met + Counter({"entries": len(world.store.entries)})
    assert [what for what in HAPPENS if not met[what]] == []
    if FULL:
        _write_page(met)


def test_a_seed_is_a_day() -> None:
    one, again = World(7), World(7)
    for world in (one, again):
        world.live(TURNS)
    assert one.store.heads == again.store.heads
    assert one.met == again.met


class Stale(MemoryFloor):
    """Keeps whatever comes, whether or not somebody else was first."""

    def is_as_read(self, write: Write) -> bool:
        del write
        return True


class Lying(MemoryFloor):
    """Says now and then that it kept what it did not: an acknowledgement before the commit."""

    calls = 0

    def store(self, write: Write) -> bool:
        self.calls += 1
        return True if self.calls % 20 == 0 else super().store(write)


class Forgetful(MemoryFloor):
    """Knows no message that came before: nothing is recognised as a repeat."""

    def load(self, needs: Needs) -> Loaded:
        asked = {key.rsplit(":", 1)[0]: 10**9 for key in needs.messages}
        for key in needs.messages:
            who, number = key.rsplit(":", 1)
            asked[who] = min(asked[who], int(number) if who.startswith("device") else 1)
        numbers = {(device, 1): asked.get(f"device:{device}:1", 1) - 1 for device in DEVICES}
        return replace(super().load(needs), answers={}, last_numbers=numbers)

    def is_as_read(self, write: Write) -> bool:
        del write
        return True


@pytest.mark.parametrize("broken", [Stale, Lying, Forgetful])
def test_a_store_that_breaks_a_promise_is_found_out(broken: type[MemoryFloor]) -> None:
    """So the test above proves something."""
    for seed in range(20):
        world = World(seed, broken(DEVICES))
        try:
            world.live(TURNS)
        except (AssertionError, ValueError):
            return
        if complaints(world):
            return
    pytest.fail("nobody noticed")


def _write_page(met: Counter[str]) -> None:
    pages.write(
        "writer-simulation",
        "The writer, simulated",
        [
            f"The real door of two servers on a simulated store, clock and network, from {SEEDS:,}",
            "seeds. After each, I1 to I6 were checked from the rows and from what agents were told",
            "(`tests/simulation/invariants.py`); with a store that breaks a promise they fail.",
        ],
        [(what, met[what]) for what in (*HAPPENS, "entries")],
    )
