"""What is measured is right: every part leaves the books that its messages make."""

import os
from dataclasses import replace

import pytest

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.bench.load import WARM_UP, Load
from tests.bench.measuring import PARTS, Part, measure
from tests.bench.summary import Summary, left_for_a_message, missed

AGENTS = 8


@pytest.mark.timeout(120)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_part_leaves_right_books(part: Part, engines: tuple[Postgres, Redis]) -> None:
    """It raises where one is missing, doubled, unbalanced, unchained or not worth what it is."""
    load = measure(replace(part, requests_each=WARM_UP + 1, agents=AGENTS), *engines)
    assert len(load.latencies) == AGENTS
    assert load.processor.server > 0
    assert load.processor.postgres > 0


def _summary(naive: float, single: float, batched: float) -> Summary:
    """So many requests in one second each, all of them as slow as their number is small."""
    rates = {"naive": naive, "single": single, "batched": batched}
    return Summary({name: [Load(1.0, (1 / rate,) * int(rate), ())] for name, rate in rates.items()})


def test_what_was_asked_for_and_is_not_so_is_said() -> None:
    assert list(missed(_summary(naive=100, single=401, batched=121))) == []
    assert list(missed(_summary(naive=100, single=399, batched=119))) == [
        "writer: 4.0 times the naive route, and 4 are asked for.",
        "writer, 50 a request: 59.5 times the naive route, and 60 are asked for.",
        "writer: p99 is 0.25 of the naive route's, not a quarter.",
    ]


def test_how_much_of_the_processor_is_left_for_a_message_is_said() -> None:
    """60 times 125 a second are 7,500, and each core has a million microseconds."""
    each = 1_000_000 * (os.cpu_count() or 1) / 7_500
    told = left_for_a_message(_summary(naive=125, single=500, batched=150))
    assert f" {each:,.0f} µs of all" in told
