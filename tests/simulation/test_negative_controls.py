"""The comparison can fail: every fault put into the product on purpose is found."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import rule as floor_rule
from hypothesis.stateful import run_state_machine_as_test

from meter_server.domain import meter, money, replay, settlement
from meter_server.domain.deciding import (
    changes,
    contests,
    corrections,
    irregularities,
    orders,
    outcomes,
    putting_right,
    systems,
    top_ups,
    wagers,
)
from tests.independent.transcription import DEALER, HOLDEM, LADDER
from tests.rules import rule
from tests.simulation.coverage import Coverage
from tests.simulation.floors import DICE, SYSTEMS, RandomFloor
from tests.simulation.mutants import broken

FAULTS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "a cancel takes back what a reset has paid away": (
        wagers.reverse,
        "stake.epoch == meter.epoch",
        "stake.epoch <= meter.epoch",
    ),
    "a carried wager contributes again": (
        wagers._stakes,
        "frozenset(command.seats) - set(kept)",
        "frozenset(command.seats)",
    ),
    "a whole carry with other seats is carried on": (
        wagers._stakes,
        "carry.whole and carried != command.seats",
        "False",
    ),
    "a meter below its seed is left there": (wagers.guard_seed, "meter.below_seed", "False"),
    "the reset asks whether j, not m, falls below": (
        settlement.settle,
        "after_payment = meter_micros - paid",
        "after_payment = j_micros - paid",
    ),
    "a royal leaves the meter empty": (
        settlement._reset_rule,
        "after_payment_micros < reset_to_micros",
        "False",
    ),
    "exactly at the seed counts as below it": (
        settlement._reset_rule,
        "after_payment_micros < reset_to_micros",
        "after_payment_micros <= reset_to_micros",
    ),
    "prizes are rounded down": (
        money.round_up,
        "-(-amount_micros // unit_micros)",
        "(amount_micros // unit_micros)",
    ),
    "straight flushes share as if each came alone": (
        settlement.straight_flushes_alone,
        "(1 - Fraction(9, 10) ** straight_flushes) / straight_flushes",
        "Fraction(1, 10)",
    ),
    "folded hands win": (outcomes.read_hands, "if seat not in folded and", "if True and"),
    "a misdeal forgets a hand carried before it": (
        irregularities._carry_all,
        "{**earlier, **round_.stakes(carried)}",
        "{**round_.stakes(carried)}",
    ),
    "a regroup registers those who left": (
        irregularities._regroup,
        "remaining = (live - leaving) | joining",
        "remaining = live | joining",
    ),
    "a void keeps the top-up": (
        corrections._post,
        "(settled.prizes_micros - settled.top_up_micros)",
        "settled.prizes_micros",
    ),
    "a correction pays a second time what is paid": (
        corrections._put_awards,
        "- paid.get(seat, 0)",
        "- 0",
    ),
    "a top-up stays when it is no longer right": (
        top_ups._is_right,
        "more == award.amount_micros",
        "True",
    ),
    "what was paid in vain is still on the meter": (
        replay.prizes_in_effect,
        "max(due_micros.get(seat, 0), has_micros.get(seat, 0))",
        "due_micros.get(seat, 0)",
    ),
    "a replay follows the order of commit": (
        replay._put_right,
        'story.steps = _in_their_places(story.steps, detail["order"])',
        "pass",
    ),
    "a late prize is not contested": (
        contests._is_contested,
        "award.agent_at_us < other.agent_at_us",
        "award.agent_at_us > other.agent_at_us",
    ),
    "a prize that a correction gives is not contested": (
        contests._is_contested,
        "other.agent_at_us < award.agent_at_us",
        "False",
    ),
    "what was decided about an order is contested again": (
        contests.contest,
        "other.round_id not in decided",
        "True",
    ),
    "another order pays again what is paid": (
        orders._resettle,
        "- paid.get(seat, 0)",
        "- 0",
    ),
    "a correction of what somebody has put right goes through": (
        putting_right.refuse_unless_as_seen,
        "seen_seq not in (None, settled.stands_by)",
        "False",
    ),
    "a closure loses what cannot be shared": (
        changes.split_surplus,
        "surplus_micros - sum(parts.values())",
        "0",
    ),
    "a notice is a moment short": (
        changes._refuse_before_time,
        "context.at_us < ready",
        "context.at_us + 1 < ready",
    ),
    "a notice is a moment long": (
        changes._refuse_before_time,
        "context.at_us < ready",
        "context.at_us <= ready",
    ),
    "new terms do not raise the meter": (
        changes._change_terms,
        "max(terms.reseed_micros - changed.value_micros, 0)",
        "0",
    ),
    "two systems may cost the same": (
        systems._refuse_same_cost,
        "one.terms.cost_cents == other.terms.cost_cents",
        "False",
    ),
    "a reset does not begin a new epoch": (meter._summed, "return meter.epoch + 1,", "return 1,"),
}


FLOORS = 1_000
PROMPT, LATE = (0,) * 7, (3,) * 7
"""Minutes; what is said often comes nearly always."""


class Enough(BaseException):
    """So many floors were asked for. Hypothesis takes every Exception for a find, and the end of a
    floor that has not begun for a floor that changes from one time to the next."""


class Controlled(RandomFloor):
    """Days on which what is rare happens often, so that a fault in it is met within minutes.

    Counted apart: faulty days are no proof.
    """

    coverage = Coverage()
    begun: ClassVar[int] = 0
    most: ClassVar[int] = FLOORS

    def __init__(self) -> None:
        super().__init__()
        Controlled.begun += 1
        if Controlled.begun > Controlled.most:
            raise Enough

    @floor_rule(dice=DICE)
    def share_a_surplus(self, dice: Random) -> None:
        """A system that has grown closes to two others: what is lost then is a few millionths."""
        systems = self._running()
        if len(systems) < len(SYSTEMS):
            return
        closing, one, other = dice.sample(systems, len(SYSTEMS))
        for name in self.model.tables_of(closing)[:1]:
            self._register(dice, name)
        for name, round_ in self.model.rounds.items():
            if round_.state == "registered":
                self._record(dice, name, kinds=("plain",), minutes_late=(0,))
        share, notice = dice.randint(1, 9_999), self.new("N")
        shares = {one: share, other: 10_000 - share}
        change = {"what": "close", "system": closing, "shares": shares}
        if self.ask(dice, "notice", LADDER[-1], notice=notice, change=change):
            self._show_and_act(dice, notice)

    @floor_rule(dice=DICE)
    def carry_a_hand_and_then_the_round(self, dice: Random) -> None:
        for name, table in self.model.tables.items():
            if table.game not in HOLDEM or not (table.playing or self._register(dice, name)):
                continue
            live = sorted(self.model.rounds[str(table.playing)].seats("live"))
            for case, seats in (("subsequent-wager-short", live[:1]), ("cards-exposed", live)):
                self.ask(
                    dice,
                    "irregularity",
                    DEALER,
                    table=name,
                    case=case,
                    seats=seats,
                    joining=[],
                    paper=None,
                    round=None,
                )

    @floor_rule(dice=DICE)
    def win_by_a_correction_what_came_after(self, dice: Random) -> None:
        """By the tables' clocks; on the meter the corrected round counts before."""
        system = self.system(dice)
        for name in self.model.tables_of(system)[:1]:
            table = self.model.tables[name]
            if not (table.playing or self._register(dice, name)):
                return
            first = str(table.playing)
            self._record(dice, first, kinds=("plain",), minutes_late=PROMPT)
            if self._win(dice, system, LATE):
                self._correct(dice, first, kinds=("cards",))

    @floor_rule(dice=DICE)
    def contest_what_is_paid(self, dice: Random) -> None:
        """And what was decided about it is corrected once more."""
        system = self.system(dice)
        first = self._win(dice, system, PROMPT)
        for key, held in list(self.model.awards.items()):
            if held.round == first and held.state == "pending":
                self._determine_and_pay(dice, key)
        self._win(dice, system, LATE)
        late = [held.round for held in self.model.awards.values() if first in held.contested]
        for name in late[:1]:
            self._decide(dice, name)
            self._correct(dice, name, kinds=("cards",))

    @floor_rule(dice=DICE)
    def come_down_to_the_seed(self, dice: Random) -> None:
        for name, table in self.model.tables.items():
            if table.system is not None and table.playing is None and self._register(dice, name):
                self.win_down_to_the_seed(dice)

    @floor_rule(dice=DICE)
    def open_a_system_at_a_cost_that_is_taken(self, dice: Random) -> None:
        for taken in self._running()[:1]:
            self._open(dice, self.new("S"), self.model.meter(taken).terms.cost_cents, [])

    def _running(self) -> list[str]:
        meters = self.model.meters().items()
        return [name for name, m in meters if not m.closed and not self.model.training[name]]


def search(most: int) -> None:
    """The same floors in the same order, whenever it is called.

    What Hypothesis draws depends on how many examples it may try, so it may always try all.
    """
    Controlled.begun, Controlled.most = 0, most
    with suppress(Enough, FlakyStrategyDefinition):
        run_state_machine_as_test(
            Controlled,
            settings=settings(
                max_examples=FLOORS,
                stateful_step_count=50,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )


@pytest.mark.timeout(1200)  # A rare fault takes a minute of a processor that nobody else uses.
@rule("MET-1", "MET-4", "MET-6", "IRR-1", "A-9", "A-17", "A-18", "A-19", "SET-13")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_put_in_on_purpose_is_found(fault: str) -> None:
    """And it is the fault that is found: without it the same floors pass."""
    function, right, wrong = FAULTS[fault]
    with broken(function, right, wrong), pytest.raises(AssertionError):
        search(FLOORS)
    found = Controlled.begun
    search(found)
    assert Controlled.begun == found + 1, "not all floors were lived through again"
