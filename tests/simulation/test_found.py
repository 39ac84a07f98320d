"""What the random floors found and is not settled yet, each as small as it gets."""

import pytest

from meter_server.domain.commands import (
    ActOnNotice,
    Command,
    ConfirmDisplay,
    DefineTable,
    DraftNotice,
    OpenSystem,
    OpenTable,
    WithdrawNotice,
)
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.notices import AddTable, ChangeTerms
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER, Rank
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import DEFAULT_READINGS
from meter_server.domain.rulebook.terms import Terms
from tests.rules import rule

WITHIN_OPTION_1 = Terms(1, 20_000, 500)


def context(at_us: int = 0, rank: Rank = ASSISTANT_CASINO_MANAGER) -> Context:
    return Context(at_us, actor=Person("1", rank), second=Person("2", DEALER))


def floor_after(*commands: Command) -> Floor:
    floor = Floor()
    for command in commands:
        answer = decide(floor, command, context())
        assert isinstance(answer, Accepted), answer
        floor = apply(floor, answer)
    return floor


def refusal(floor: Floor, command: Command, asked: Context) -> Kind:
    answer = decide(floor, command, asked)
    assert isinstance(answer, Refusal)
    return answer.kind


TWO_SYSTEMS: tuple[Command, ...] = (
    OpenSystem("A", WITHIN_OPTION_1, ()),
    OpenSystem("B", Terms(1, 20_000, 100), ()),
)
A_TABLE: tuple[Command, ...] = (
    DefineTable("T", GameKey.WSOP, 9),
    OpenTable("T"),
)


@pytest.mark.xfail(strict=True, reason="systems are compared pair by pair, not reason by reason")
@rule("SYS-4", "SYS-5")
def test_a_cost_in_use_is_told_before_other_terms() -> None:
    """The first pair differs in its option, the second shares a cost: the cost comes first."""
    floor = floor_after(*TWO_SYSTEMS)
    wrong_twice = OpenSystem("C", Terms(2, 20_000, 100), ())
    assert refusal(floor, wrong_twice, context()) is Kind.COST_TAKEN


@pytest.mark.xfail(strict=True, reason="whether the change is possible is looked at first")
@rule("A-35")
def test_that_a_notice_has_lapsed_is_told_before_what_else_is_wrong_with_it() -> None:
    floor = floor_after(
        *A_TABLE,
        OpenSystem("A", WITHIN_OPTION_1, ("T",)),
        DraftNotice("N", ChangeTerms({"A": Terms(2, 20_000, 500)})),
        ConfirmDisplay("N", "T"),
        OpenSystem("B", Terms(1, 20_000, 100), ()),
    )
    lapsed = DEFAULT_READINGS.terms_notice_us + DEFAULT_READINGS.notice_life_us + 1
    assert refusal(floor, ActOnNotice("N"), context(lapsed)) is Kind.NOTICE_ENDED


@pytest.mark.xfail(strict=True, reason="the notice is looked up before the rank")
@rule("AUT-14")
def test_a_missing_rank_is_told_before_an_ended_notice() -> None:
    floor = floor_after(
        *A_TABLE,
        OpenSystem("A", WITHIN_OPTION_1, ()),
        DraftNotice("N", AddTable("T", "A")),
        WithdrawNotice("N"),
    )
    by_hand = ConfirmDisplay("N", "T", by_hand_reason="the sign is broken")
    assert refusal(floor, by_hand, context(rank=DEALER)) is Kind.NOT_AUTHORISED
