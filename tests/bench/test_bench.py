"""What is measured is right: every part leaves the books that its messages make."""

from dataclasses import replace

import pytest

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.bench.load import WARM_UP, Load
from tests.bench.measuring import PARTS, Part, measure
from tests.bench.summary import Summary, missed

AGENTS = 8


@pytest.mark.timeout(120)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_part_leaves_right_books(part: Part, engines: tuple[Postgres, Redis]) -> None:
    """It raises where one is missing, doubled, unbalanced, unchained or not worth what it is."""
    load = measure(replace(part, requests_each=WARM_UP + 1, agents=AGENTS), *engines)
    assert len(load.latencies) == AGENTS


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
