"""Stacked decks for a demonstration or a test: which hands, at which table, in which round."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

from deploy.simulator.dealer import Stacked
from deploy.simulator.dealing import Show
from deploy.simulator.evening import Shows

TWO_TABLES = "two-tables"
NAMES = (*(show.value for show in Show), TWO_TABLES)
FIRST_ROUND = 3
_MEET_SECONDS_MAX = 60.0


def planned(names: Sequence[str], systems: int) -> Shows:
    """One after the other at the first table; two tables of one system record together."""
    found: dict[tuple[int, int], Stacked] = {}
    for number, name in enumerate(names, start=FIRST_ROUND):
        if name == TWO_TABLES:
            meet = _meeting(2)
            found[0, number] = Stacked(Show.ROYAL, meet)
            found[systems, number] = Stacked(Show.STRAIGHT_FLUSH, meet)
        else:
            found[0, number] = Stacked(Show(name))
    return found


def _meeting(parties: int) -> Callable[[], object]:
    """Whoever comes waits for the others, and not for ever: the evening may have ended for them."""
    barrier = Barrier(parties, timeout=_MEET_SECONDS_MAX)

    def meet() -> None:
        with suppress(BrokenBarrierError):
            barrier.wait()

    return meet
