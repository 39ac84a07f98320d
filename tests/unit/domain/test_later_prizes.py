"""After a correction the prizes that would have been others are listed, with what to grant."""

from dataclasses import replace

from meter_server.domain import replay
from meter_server.domain.awards import AwardState, LaterPrize
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import (
    Command,
    CorrectSettlement,
    DecideOrder,
    DefineTable,
    HandReport,
    OpenSystem,
    OpenTable,
    RecordOutcome,
    RegisterWagers,
    VoidSettlement,
)
from meter_server.domain.deciding import decide
from meter_server.domain.entries import EntryKind
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from tests.rules import rule
from tests.scenarios.house import Core
from tests.scenarios.language import all_scenarios
from tests.scenarios.runner import play

MANAGERS = Context(1, Person("4001", ASSISTANT_CASINO_MANAGER), second=Person("3001", DEALER))
STRAIGHT_FLUSH = {1: HandReport(own_cards=parse_cards("9h 8h"))}
FLOP = parse_cards("Th Jh Qh")


def done(floor: Floor, command: Command) -> tuple[Floor, Accepted]:
    answer = decide(floor, command, MANAGERS)
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer), answer


def two_straight_flushes() -> Floor:
    """At $200,000.6812 the first takes 10% of 200,001, the second 10% of 180,001."""
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        DefineTable("T2", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenTable("T2"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1", "T2"), value_micros=200_000_000_000),
        RegisterWagers("R1", "T1", frozenset({1}), 100),
        RegisterWagers("R2", "T2", frozenset({1}), 100),
        RecordOutcome("R1", STRAIGHT_FLUSH, FLOP),
        RecordOutcome("R2", STRAIGHT_FLUSH, FLOP),
    ):
        floor, _ = done(floor, command)
    assert floor.awards["R1/1"].amount_micros == 20_000_100_000
    assert floor.awards["R2/1"].amount_micros == 18_000_100_000
    return floor


@rule("A-58")
def test_a_void_lists_the_later_prize_that_would_have_been_higher() -> None:
    """Without the first, the second would have taken 10% of 200,001."""
    _, answer = done(two_straight_flushes(), VoidSettlement("R1", "not genuine"))
    (later,) = answer.later_prizes
    assert later == LaterPrize("R2/1", 18_000_100_000, 20_000_100_000)
    assert later.top_up_micros == 2_000_000_000


@rule("A-58")
def test_a_correction_lists_a_prize_that_would_have_been_lower_and_proposes_nothing() -> None:
    """A royal overlooked: the second would have taken 10% of the seed, and keeps what it won."""
    royal = {1: HandReport(own_cards=parse_cards("Kh Ah"))}
    _, answer = done(two_straight_flushes(), CorrectSettlement("R1", royal, FLOP))
    (later,) = answer.later_prizes
    assert later == LaterPrize("R2/1", 18_000_100_000, 1_000_000_000)
    assert later.top_up_micros == 0


@rule("A-58")
def test_the_last_settlement_has_no_later_prizes() -> None:
    _, answer = done(two_straight_flushes(), VoidSettlement("R2", "not genuine"))
    assert answer.later_prizes == ()


@rule("A-58")
def test_a_prize_and_its_difference_are_listed_as_one() -> None:
    """Paid 17,600.48 as one of two, then 400.02 more as the only one; it would be 20,000.50."""
    house = Core()
    [story] = [told for told in all_scenarios() if "topped up once, as one" in told.title]
    play(replace(story, steps=story.steps[:-4]), house)
    _, answer = done(house.books(), VoidSettlement("R1", "misread"))
    assert answer.later_prizes == (LaterPrize("Q1/1", 18_000_500_000, 20_000_500_000),)


@rule("A-38", "A-58")
def test_another_order_lists_what_was_won_between_the_two() -> None:
    """R3 came late: it goes before R1, and R2 between them would have met a tenth less."""
    floor = two_straight_flushes()
    late = replace(MANAGERS, agent_at_us=1)
    timed = {key: replace(award, agent_at_us=2) for key, award in floor.awards.items()}
    floor = replace(floor, awards={**timed, "R2/1": floor.awards["R2/1"]})
    floor, _ = done(floor, RegisterWagers("R3", "T1", frozenset({1}), 100))
    answer = decide(floor, RecordOutcome("R3", STRAIGHT_FLUSH, FLOP), late)
    assert isinstance(answer, Accepted)
    _, answer = done(apply(floor, answer), DecideOrder(("R3", "R1")))
    # R3 takes 20,000.10 and R1 18,000.10, as R1 and R2 did; R2 at 162,000.4812 then 16,200.10.
    assert answer.later_prizes == (LaterPrize("R2/1", 18_000_100_000, 16_200_100_000),)


@rule("A-58")
def test_a_history_may_begin_at_the_first_settlement_put_right() -> None:
    """A store brings no more of it; the seed is then the one that settlement was guarded by."""
    floor, _ = done(two_straight_flushes(), VoidSettlement("R1", "not genuine"))
    history = floor.history["S1"]
    begin = [entry.kind for entry in history].index(EntryKind.SETTLEMENT)
    assert replay.due(replay.read(history[begin:]), {}) == {"R2": {1: 20_000_100_000}}
    assert replay.read(history[begin:]).seed_micros == 10_000_000_000
    assert replay.read(history).seed_micros == 0, "the opening brings it"
    assert replay.read(()).rounds == []


@rule("A-58", "A-18")
def test_a_replay_guards_the_seed_when_wagers_go_back() -> None:
    """At the seed itself a reversal takes nothing: 10,000.00, of which a tenth is 1,000.00."""
    floor, _ = done(two_straight_flushes(), VoidSettlement("R1", "not genuine"))
    history = floor.history["S1"]
    begin = [entry.kind for entry in history].index(EntryKind.SETTLEMENT)
    low = replace(history[begin], before_micros=10_000_000_000)
    back = replace(history[begin], kind=EntryKind.REVERSAL, amount_micros=-340_600, detail={})
    rest = history[begin + 1 :]
    assert replay.due(replay.read((low, back, *rest)), {}) == {"R2": {1: 1_000_000_000}}


@rule("A-58")
def test_a_void_of_a_round_before_the_history_changes_nothing_in_it() -> None:
    floor, _ = done(two_straight_flushes(), VoidSettlement("R1", "not genuine"))
    assert replay.read(floor.history["S1"][-1:]).rounds == []


@rule("A-37", "A-58")
def test_a_replay_raises_the_meter_to_a_new_seed() -> None:
    """At 15,000 under a seed of 20,000 a straight flush wins a tenth of 20,000."""
    floor = two_straight_flushes()
    won = replay.read(floor.history["S1"]).outcomes["R2"]
    steps: list[str | replay.Moved] = [replay.Moved(0, 20_000_000_000), "R2"]
    story = replay.Story(15_000_000_000, 10_000_000_000, steps, {"R2": won})
    assert replay.due(story, {}) == {"R2": {1: 2_000_000_000}}


@rule("A-58")
def test_a_paid_prize_of_a_round_that_had_none_is_listed_as_not_due() -> None:
    floor = two_straight_flushes()
    paid = replace(floor.awards["R2/1"], state=AwardState.PAID)
    floor = replace(floor, awards={**floor.awards, "R2/1": paid})
    _, answer = done(floor, CorrectSettlement("R2", {}))
    assert answer.later_prizes == (LaterPrize("R2/1", 18_000_100_000, 0),)


@rule("A-58")
def test_what_differs_before_the_round_put_right_is_not_listed_again() -> None:
    """R2 is owed 2,000.00 since R1 was voided; putting R3 right says nothing new about it."""
    floor, _ = done(two_straight_flushes(), VoidSettlement("R1", "not genuine"))
    floor, _ = done(floor, RegisterWagers("R3", "T1", frozenset({1}), 100))
    floor, _ = done(floor, RecordOutcome("R3", STRAIGHT_FLUSH, FLOP))
    _, answer = done(floor, VoidSettlement("R3", "not genuine"))
    assert answer.later_prizes == ()
