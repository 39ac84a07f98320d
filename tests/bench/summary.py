"""What the turns come to: medians, and how the parts compare."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from tests.bench.load import Load
from tests.bench.measuring import PARTS, Part

SINGLE_TIMES_MIN = 4.0
BATCHED_TIMES_MIN = 60.0
SLOWEST_SHARE_MAX = 0.25
"""The 99th percentile of the writer's latency, as a share of the naive route's."""


@dataclass(frozen=True)
class Summary:
    loads: Mapping[str, list[Load]]
    """Of each part, one for each turn."""

    def messages_per_second(self, part: Part) -> float:
        rates = [load.requests_per_second for load in self.loads[part.name]]
        return median(rates) * part.messages_each

    def latency_ms(self, part: Part, percent: int) -> float:
        return median(load.latency_ms(percent) for load in self.loads[part.name])

    def server_us(self, part: Part) -> float:
        """Of the processor, for a message."""
        return median(_each_us(load, part, load.processor.server) for load in self.loads[part.name])

    def postgres_us(self, part: Part) -> float:
        loads = self.loads[part.name]
        return median(_each_us(load, part, load.processor.postgres) for load in loads)

    def times_naive(self, part: Part) -> float:
        return self.messages_per_second(part) / self.messages_per_second(PARTS[0])

    def share_of_slowest(self, part: Part) -> float:
        return self.latency_ms(part, 99) / self.latency_ms(PARTS[0], 99)


def left_for_a_message(found: Summary) -> str:
    """What the machine has for one message where the most is asked of it."""
    cores = os.cpu_count() or 1
    left_us = 1_000_000 * cores / (BATCHED_TIMES_MIN * found.messages_per_second(PARTS[0]))
    return (
        f"{BATCHED_TIMES_MIN:.0f} times the naive route would leave {left_us:,.0f} µs of all "
        f"{cores} cores for a message."
    )


def _each_us(load: Load, part: Part, seconds: float) -> float:
    return 1_000_000 * seconds / (len(load.answers) * part.messages_each)


HEADINGS = (
    "part",
    "messages a second",
    "times naive",
    "median ms",
    "p99 ms",
    "server µs",
    "PostgreSQL µs",
)


def rows(found: Summary) -> Iterator[tuple[str, ...]]:
    for part in PARTS:
        yield (
            part.title,
            f"{found.messages_per_second(part):,.0f}",
            f"{found.times_naive(part):.1f}",
            f"{found.latency_ms(part, 50):.1f}",
            f"{found.latency_ms(part, 99):.1f}",
            f"{found.server_us(part):,.0f}",
            f"{found.postgres_us(part):,.0f}",
        )


def table(found: Summary) -> Table:
    made = Table(*HEADINGS, title="One hot meter, 64 agents, signed")
    for row in rows(found):
        made.add_row(*row)
    return made


def missed(found: Summary) -> Iterator[str]:
    """What was asked for and is not so, in this run."""
    _, single, batched = PARTS
    for part, least in ((single, SINGLE_TIMES_MIN), (batched, BATCHED_TIMES_MIN)):
        if (times := found.times_naive(part)) < least:
            yield f"{part.title}: {times:.1f} times the naive route, and {least:.0f} are asked for."
    if (share := found.share_of_slowest(single)) > SLOWEST_SHARE_MAX:
        yield f"{single.title}: p99 is {share:.2f} of the naive route's, not a quarter."
