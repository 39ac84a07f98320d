"""An evening can be had again: its seed decides what each table deals, does and suffers."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deploy.simulator.dealer import Rates
from deploy.simulator.evening import Evening, Plan
from deploy.simulator.table import Event
from deploy.simulator.wire import Fate
from tests.integration.programs import Environment
from tests.integration.simulator.stage import stage

TABLES, ROUNDS = 6, 48
OFTEN = Rates(irregular=0.25, cut=0.15, restart=0.1, new_dealer=0.1)


def test_the_same_seed_is_the_same_evening_and_another_seed_is_another(
    env: Environment, tmp_path: Path
) -> None:
    """On one floor, one after the other; only in which order tables come to the server is open."""
    with stage(env, tmp_path) as opened:
        first, again, other = (
            opened.play(Plan(ROUNDS, None, 0, seed, OFTEN), TABLES)[0] for seed in (7, 7, 8)
        )

    assert len(_said(first)) == TABLES
    assert _said(again) == _said(first)
    assert again.counts == first.counts
    assert _dealt(again) == _dealt(first)
    assert all(first.counts[f"links cut: {fate}"] for fate in Fate)
    assert first.counts["agents restarted"]
    assert first.counts["irregularities"]
    for table, said in _said(first).items():
        assert _said(other)[table] != said, table


def _dealt(evening: Evening) -> list[object]:
    return [evening.tally.folded, *((hand, seen.value) for hand, seen in evening.tally.seen())]


def _said(evening: Evening) -> dict[str, list[Any]]:
    """By table, what it told the server: all but times, keys and where its numbers began."""
    found: dict[str, list[Event]] = defaultdict(list)
    for event in evening.events:
        found[event.table].append(event)
    return {table: _without_numbers(events) for table, events in found.items()}


def _without_numbers(events: Sequence[Event]) -> list[Any]:
    first = events[0].message["number"]
    return [
        {
            **_counted_from(first, event.message["command"]),
            "actor": event.message["actor"],
            "approved": event.message["grant"] is not None,
            "answer": event.answer["answer"],
        }
        for event in events
    ]


def _counted_from(first: int, command: dict[str, Any]) -> dict[str, Any]:
    if "round" not in command:
        return command
    *_, number = command["round"].split("/")
    return {**command, "round": int(number) - first}
