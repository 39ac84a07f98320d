"""After a correction the prizes that would have been others are listed, with what to grant."""

from dataclasses import replace

from meter_server.domain import replay
from meter_server.domain.awards import AwardState, LaterPrize
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import (
    ActOnNotice,
    Command,
    ConfirmDisplay,
    CorrectSettlement,
    DecideOrder,
    DeclareIrregularity,
    DefineTable,
    DeterminePrize,
    DraftNotice,
    GrantTopUp,
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
from meter_server.domain.hands import Hand
from meter_server.domain.notices import ChangeTerms
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import HOUR_US
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


def two_rounds() -> Floor:
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        DefineTable("T2", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenTable("T2"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1", "T2"), value_micros=200_000_000_000),
        RegisterWagers("R1", "T1", frozenset({1}), 100),
        RegisterWagers("R2", "T2", frozenset({1}), 100),
    ):
        floor, _ = done(floor, command)
    return floor


def two_straight_flushes() -> Floor:
    """At $200,000.6812 the first takes 10% of 200,001, the second 10% of 180,001."""
    floor, _ = done(two_rounds(), RecordOutcome("R1", STRAIGHT_FLUSH, FLOP))
    floor, _ = done(floor, RecordOutcome("R2", STRAIGHT_FLUSH, FLOP))
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
    floor, answer = done(two_straight_flushes(), VoidSettlement("R2", "not genuine"))
    assert answer.later_prizes == ()
    _, answer = done(floor, RegisterWagers("R3", "T1", frozenset({1}), 100))
    assert answer.later_prizes == (), "and what corrects nothing lists nothing"


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
    other_manager = Context(2, Person("4002", ASSISTANT_CASINO_MANAGER))
    answer = decide(apply(floor, answer), DecideOrder(("R3", "R1"), "camera 12"), other_manager)
    assert isinstance(answer, Accepted), answer
    # R3 takes 20,000.10 and R1 18,000.10, as R1 and R2 did; R2 at 162,000.4812 then 16,200.10.
    assert answer.later_prizes == (LaterPrize("R2/1", 18_000_100_000, 16_200_100_000),)


@rule("A-38", "A-58")
def test_prizes_of_one_moment_do_not_contest_each_other() -> None:
    """Neither came before the other: the correction's prize counts where its round does."""
    same_time = replace(MANAGERS, agent_at_us=5)
    floor = two_rounds()
    for command in (
        RecordOutcome("R1"),
        RecordOutcome("R2", STRAIGHT_FLUSH, FLOP),
        CorrectSettlement("R1", STRAIGHT_FLUSH, FLOP),
    ):
        answer = decide(floor, command, same_time)
        assert isinstance(answer, Accepted), answer
        floor = apply(floor, answer)
    assert floor.awards["R1/1"].agent_at_us == floor.awards["R2/1"].agent_at_us == 5
    assert not any(award.contested_with for award in floor.awards.values())


@rule("A-38")
def test_an_order_that_stands_is_ruled_by_the_game_of_the_round_that_counts_first() -> None:
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.THREE_CARD, 7, Limits(1_000, 50_000)),
        DefineTable("T2", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenTable("T2"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1", "T2")),
        RegisterWagers("R1", "T1", frozenset({1}), 100),
        RegisterWagers("R2", "T2", frozenset({1}), 100),
    ):
        floor, _ = done(floor, command)
    three_cards = {1: HandReport(own_cards=parse_cards("5s 6s 7s"))}
    for outcome, agent_at_us in (
        (RecordOutcome("R1", three_cards, parse_cards("8s 9s")), 2),
        (RecordOutcome("R2", STRAIGHT_FLUSH, FLOP), 1),
    ):
        answer = decide(floor, outcome, replace(MANAGERS, agent_at_us=agent_at_us))
        assert isinstance(answer, Accepted), answer
        floor = apply(floor, answer)
    other_manager = Context(2, Person("4002", ASSISTANT_CASINO_MANAGER))
    answer = decide(floor, DecideOrder(("R1", "R2"), "camera 12"), other_manager)
    assert isinstance(answer, Accepted), answer
    assert [entry.rule for entry in answer.entries] == ["Three Card 7.3.4"]


@rule("A-38", "MET-4")
def test_another_order_may_bring_the_meter_down_to_the_seed_itself() -> None:
    """R1 leaves 0.50 less than was recorded: R2 meets 10,000.00, and wins a tenth of that."""
    rounds = two_straight_flushes().rounds
    first, second = rounds["R1"].settled, rounds["R2"].settled
    assert first is not None
    assert second is not None
    low = replace(second.statement, meter_micros=10_000_500_000)
    won = {1: Hand.STRAIGHT_FLUSH}
    counted = {
        "R1": replay.Counting(first.statement, first.after_micros + 500_000, won, {}),
        "R2": replay.Counting(low, 10_000_000_000, won, {}),
    }
    reordered = replay.in_order(counted, ["R1", "R2"])
    assert reordered.prizes_micros == {"R1": 20_000_100_000, "R2": 1_000_000_000}


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


def founded(value_micros: int, *commands: Command) -> Floor:
    """Two tables of a $1 system with a seed of 10,000, and what is done there."""
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        DefineTable("T2", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenTable("T2"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1", "T2"), value_micros=value_micros),
        *commands,
    ):
        floor, _ = done(floor, command)
    return floor


def under_a_seed_of_20_000(floor: Floor) -> Floor:
    for command in (
        DraftNotice("N1", ChangeTerms({"S1": Terms(1, 20_000, 100)})),
        ConfirmDisplay("N1", "T1"),
        ConfirmDisplay("N1", "T2"),
    ):
        floor, _ = done(floor, command)
    answer = decide(floor, ActOnNotice("N1"), replace(MANAGERS, at_us=1 + 24 * HOUR_US))
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer)


@rule("A-58", "A-18")
def test_a_replay_from_the_opening_guards_the_seed_it_opened_with() -> None:
    """R1's straight flush leaves the seed; R2's wager goes back, and the seed stays under R3.

    Without the guard R3 would meet 9,999.6594 + 0.3406 and win 1,000.00 instead of 1,000.10.
    """
    floor = founded(
        10_000_000_000,
        RegisterWagers("R1", "T1", frozenset({1}), 100),
        RegisterWagers("R2", "T2", frozenset({1}), 100),
        RecordOutcome("R1"),
        DeclareIrregularity("T2", "begun-by-mistake"),
        RegisterWagers("R3", "T2", frozenset({1}), 100),
        RecordOutcome("R3", STRAIGHT_FLUSH, FLOP),
    )
    assert floor.awards["R3/1"].amount_micros == 1_000_100_000
    _, answer = done(floor, CorrectSettlement("R1", STRAIGHT_FLUSH, FLOP))
    assert answer.later_prizes == ()


@rule("A-37", "A-58")
def test_a_replay_over_a_change_of_terms_raises_the_meter_as_the_change_did() -> None:
    """15,000.3406 less R1's 1,500.10 is raised to 20,000 all the same: R2 wins its 2,000.10."""
    floor = founded(
        15_000_000_000, RegisterWagers("R1", "T1", frozenset({1}), 100), RecordOutcome("R1")
    )
    floor = under_a_seed_of_20_000(floor)
    floor, _ = done(floor, RegisterWagers("R2", "T1", frozenset({1}), 100))
    floor, _ = done(floor, RecordOutcome("R2", STRAIGHT_FLUSH, FLOP))
    assert floor.awards["R2/1"].amount_micros == 2_000_100_000
    _, answer = done(floor, CorrectSettlement("R1", STRAIGHT_FLUSH, FLOP))
    assert answer.later_prizes == ()


@rule("A-37", "A-58")
def test_a_replay_over_a_change_of_terms_keeps_a_higher_value_to_the_millionth() -> None:
    """30,000.7749 less R1's 3,000.10, and R2's 0.3251: 27,001 exactly, and a tenth of it."""
    floor = founded(
        30_000_434_300, RegisterWagers("R1", "T1", frozenset({1}), 100), RecordOutcome("R1")
    )
    floor = under_a_seed_of_20_000(floor)
    floor, _ = done(floor, RegisterWagers("R2", "T1", frozenset({1}), 100))
    floor, _ = done(floor, RecordOutcome("R2", STRAIGHT_FLUSH, FLOP))
    _, answer = done(floor, CorrectSettlement("R1", STRAIGHT_FLUSH, FLOP))
    assert answer.later_prizes == (LaterPrize("R2/1", 3_000_200_000, 2_700_100_000),)


@rule("A-58")
def test_a_top_up_is_granted_after_an_earlier_round_that_was_put_right_and_no_other() -> None:
    """R3 is owed more since R1 was voided: not for R2, which stands, nor for its own bonus hand."""
    floor = two_straight_flushes()
    floor, _ = done(floor, RegisterWagers("R3", "T1", frozenset({1, 2}), 100))
    floor, _ = done(floor, RecordOutcome("R3", STRAIGHT_FLUSH, FLOP))
    floor, _ = done(floor, VoidSettlement("R1", "not genuine"))
    with_bonus = {**STRAIGHT_FLUSH, 2: HandReport(Hand.FLUSH)}
    floor, _ = done(floor, CorrectSettlement("R3", with_bonus, FLOP))
    for corrected in ("R2", "R3"):
        refused = decide(floor, GrantTopUp("R3/1", corrected), MANAGERS)
        assert isinstance(refused, Refusal), corrected
        assert refused.kind is Kind.NOTHING_DIFFERS
    assert isinstance(decide(floor, GrantTopUp("R3/1", "R1"), MANAGERS), Accepted)


@rule("A-58")
def test_a_straight_flush_that_was_none_leaves_more_to_the_next() -> None:
    """R1 then takes nothing: R2 is owed 10% of 200,001, which is 2,000.00 more."""
    floor, answer = done(two_straight_flushes(), CorrectSettlement("R1", {}))
    assert answer.later_prizes == (LaterPrize("R2/1", 18_000_100_000, 20_000_100_000),)
    _, granted = done(floor, GrantTopUp("R2/1", "R1"))
    assert [entry.amount_micros for entry in granted.entries] == [-2_000_000_000]


@rule("A-58")
def test_what_was_paid_in_vain_has_left_the_meter_for_the_next() -> None:
    """R1 keeps its 20,000.10, so R2 met what it would have met."""
    floor = two_straight_flushes()
    paid = replace(floor.awards["R1/1"], state=AwardState.PAID)
    floor = replace(floor, awards={**floor.awards, "R1/1": paid})
    _, answer = done(floor, CorrectSettlement("R1", {}))
    assert answer.later_prizes == (LaterPrize("R1/1", 20_000_100_000, 0),)


def by(actor: str, approver: str, second: str) -> Context:
    """A dealer's command with a manager's grant, confirmed by a third person."""
    return Context(
        1,
        Person(actor, DEALER),
        approver=Person(approver, ASSISTANT_CASINO_MANAGER),
        second=Person(second, DEALER),
    )


@rule("AUT-2", "A-58")
def test_a_prize_names_everybody_whose_word_it_stands_on() -> None:
    """Whoever recorded, approved or confirmed it, and every correction of it since."""
    nothing, again = CorrectSettlement("R1", {}), CorrectSettlement("R1", STRAIGHT_FLUSH, FLOP)
    for undone in (nothing, VoidSettlement("R1", "misread")):
        floor = done_by(two_straight_flushes(), undone, by("1", "2", "3"))
        floor = done_by(floor, again, by("5", "6", "7"))
        award = floor.awards["R1/1"]
        assert (award.recorded_by, award.approved_by) == ("5", "6")
        assert award.behind == {"4001", "3001", "1", "2", "3", "5", "6", "7"}

    # As an older release kept it.
    old = two_straight_flushes().rounds["R1"]
    assert old.settled is not None
    old = replace(old, settled=replace(old.settled, behind=frozenset()))
    floor = replace(two_straight_flushes(), rounds={"R1": old}, awards={})
    floor = done_by(floor, nothing, by("1", "2", "3"))
    floor = done_by(floor, again, by("5", "6", "7"))
    assert floor.awards["R1/1"].behind == {"4001", "1", "2", "3", "5", "6", "7"}

    floor = two_straight_flushes()
    floor = done_by(floor, VoidSettlement("R1", "not genuine"), by("1", "2", "3"))
    floor = done_by(floor, GrantTopUp("R2/1", "R1"), by("5", "6", "7"))
    top_up = floor.awards["R2/1+R1"]
    assert (top_up.recorded_by, top_up.approved_by) == ("5", "6")
    assert top_up.behind == {"4001", "3001", "5", "6", "7"}


@rule("A-38", "AUT-2")
def test_another_order_forgets_who_determined_the_prize_that_it_changes() -> None:
    """It has another amount, so somebody determines it anew."""
    record, late = (
        RecordOutcome("R1", STRAIGHT_FLUSH, FLOP),
        RecordOutcome("R2", STRAIGHT_FLUSH, FLOP),
    )
    dealer, manager = Person("1001", DEALER), Context(3, Person("4002", ASSISTANT_CASINO_MANAGER))
    floor = done_by(two_rounds(), record, Context(1, dealer, agent_at_us=50))
    floor = done_by(floor, DeterminePrize("R1/1", 20_000_100_000, 4), manager)
    assert floor.awards["R1/1"].determined_by == "4002"
    floor = done_by(floor, late, Context(2, dealer, agent_at_us=40))
    floor = done_by(floor, DecideOrder(("R2", "R1")), manager)
    award = floor.awards["R1/1"]
    assert (award.amount_micros, award.state) == (18_000_100_000, AwardState.PENDING)
    assert award.determined_by is None


def done_by(floor: Floor, command: Command, context: Context) -> Floor:
    answer = decide(floor, command, context)
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer)
