"""What fails at the server stops new wagers at every table, and nothing that has begun."""

import pytest

from meter_server.domain.commands import RecordOutcome, RegisterWagers
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.meter import Meter
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Gate, Table

SEED_TIMES_COST = 10_000 * 1_000_000


def _floor(table: Table) -> Floor:
    value = SEED_TIMES_COST
    meter = Meter("S", Terms(1, 10_000, 100), value_micros=value, seq=1, epoch=1, base_micros=value)
    return Floor(meters={"S": meter}, tables={"T1": table})


TABLE = Table("T1", GameKey.WSOP, 9, meter_id="S")
WAGERS = RegisterWagers("t1-a/1/1", "T1", frozenset({1}), 100)


def _context(*failing: Gate) -> Context:
    return Context(1_800_000_000_000_000, Person("1007", DEALER), failing=frozenset(failing))


@pytest.mark.rule("WAG-3", "SGN-1")
@pytest.mark.parametrize(
    ("gate", "kind", "rule"),
    [
        (Gate.AMOUNTS, Kind.NOT_OPERATING, "WSOP 9.5.1"),
        (Gate.SETTLEMENT_TIMES, Kind.NOT_OPERATING, "WSOP 9.5.2"),
        (Gate.METER_READING, Kind.NOT_OPERATING, "WSOP 9.5.3"),
        (Gate.DISPLAY, Kind.DISPLAY_NOT_OPERATING, "WSOP 9.1.1(k)"),
    ],
)
def test_a_gate_of_the_server_refuses_wagers_by_its_rule(gate: Gate, kind: Kind, rule: str) -> None:
    answer = decide(_floor(TABLE), WAGERS, _context(gate))
    assert isinstance(answer, Refusal)
    assert (answer.kind, answer.rule) == (kind, rule)


def test_a_round_in_progress_is_settled_whatever_fails() -> None:
    floor = _floor(TABLE)
    begun = decide(floor, WAGERS, _context())
    assert isinstance(begun, Accepted)
    ended = decide(apply(floor, begun), RecordOutcome("t1-a/1/1"), _context(*Gate))
    assert isinstance(ended, Accepted)


@pytest.mark.rule("WAG-2")
def test_manual_arrangements_stand_in_for_the_equipment() -> None:
    manual = Table("T1", GameKey.WSOP, 9, meter_id="S", manual=True)
    answer = decide(_floor(manual), WAGERS, _context(*Gate))
    assert isinstance(answer, Refusal)
    assert answer.kind is Kind.MANUAL_ON_PAPER
