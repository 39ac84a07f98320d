"""What the random floors once found, each as small as it gets."""

from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import (
    ActOnNotice,
    Command,
    ConfirmDisplay,
    CorrectSettlement,
    DecideOrder,
    DeclareIrregularity,
    DefineTable,
    DraftNotice,
    HandReport,
    OpenSystem,
    OpenTable,
    RecordOutcome,
    RegisterWagers,
    ReportDarkSign,
    SetManual,
    WithdrawNotice,
)
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.hands import Hand
from meter_server.domain.notices import AddTable, ChangeTerms, RemoveTable
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER, Rank
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, MINUTE_US
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from tests.rules import rule

WITHIN_OPTION_1 = Terms(1, 20_000, 500)


def context(at_us: int = 0, rank: Rank = ASSISTANT_CASINO_MANAGER) -> Context:
    return Context(at_us, actor=Person("1", rank), second=Person("2", DEALER))


def floor_after(*commands: Command) -> Floor:
    floor = Floor()
    for command in commands:
        floor = done(floor, command)
    return floor


def refusal(floor: Floor, command: Command, asked: Context) -> Kind:
    answer = decide(floor, command, asked)
    assert isinstance(answer, Refusal)
    return answer.kind


def done(floor: Floor, command: Command, asked: Context | None = None) -> Floor:
    answer = decide(floor, command, asked or context())
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer)


BETS = Limits(1_000, 50_000)
STRAIGHT_FLUSH = ("Ah 2h", "3h 4h 5h")
ROYAL = ("Kh Ah", "Th Jh Qh")


def three_wins(*wins: tuple[str, tuple[str, str], int | None]) -> Floor:
    """Three tables on one meter of $400,000 win one after the other, each with its own time."""
    tables = ("T1", "T2", "T3")
    floor = floor_after(
        *(DefineTable(table, GameKey.WSOP, 9, BETS) for table in tables),
        *(OpenTable(table) for table in tables),
        OpenSystem("A", WITHIN_OPTION_1, tables, value_micros=400_000_000_000),
        *(
            RegisterWagers(win[0], table, frozenset({1, 2}), 500)
            for table, win in zip(tables, wins, strict=True)
        ),
    )
    for round_id, (own, shared), agent_at_us in wins:
        reports = {1: HandReport(own_cards=parse_cards(own))}
        outcome = RecordOutcome(round_id, reports, parse_cards(shared))
        dealer = Context(3, actor=Person("9", DEALER), agent_at_us=agent_at_us)
        floor = done(floor, outcome, dealer)
    return floor


TWO_SYSTEMS: tuple[Command, ...] = (
    OpenSystem("A", WITHIN_OPTION_1, ()),
    OpenSystem("B", Terms(1, 20_000, 100), ()),
)
A_TABLE: tuple[Command, ...] = (
    DefineTable("T", GameKey.WSOP, 9, BETS),
    OpenTable("T"),
)


@rule("SYS-4", "SYS-5")
def test_a_cost_in_use_is_told_before_other_terms() -> None:
    """The first pair differs in its option, the second shares a cost: the cost comes first."""
    floor = floor_after(*TWO_SYSTEMS)
    wrong_twice = OpenSystem("C", Terms(2, 20_000, 100), ())
    assert refusal(floor, wrong_twice, context()) is Kind.COST_TAKEN


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


@rule("A-35")
def test_a_sign_dark_for_long_starts_again_whatever_the_last_report_says() -> None:
    """Dark since the first minute, lit in the thirtieth: the twenty minutes begin there."""
    floor = floor_after(
        *A_TABLE,
        OpenSystem("A", WITHIN_OPTION_1, ("T",)),
        DraftNotice("N", RemoveTable("T")),
        ConfirmDisplay("N", "T"),
        ReportDarkSign("N", "T", dark_from_us=MINUTE_US),
        ReportDarkSign("N", "T", dark_from_us=30 * MINUTE_US - 1, lit_again_us=30 * MINUTE_US),
    )
    assert refusal(floor, ActOnNotice("N"), context(31 * MINUTE_US)) is Kind.NOTICE_TOO_EARLY


@rule("A-38", "SET-4")
def test_three_contested_rounds_are_paid_in_the_order_decided() -> None:
    """Recorded F, X, S; decided S, X, F.

    At $400,009.755 S wins 10% of 400,010, X all of the 360,009 left, F 10% of the seed.
    """
    floor = three_wins(("F", STRAIGHT_FLUSH, 3), ("X", ROYAL, 2), ("S", STRAIGHT_FLUSH, 1))
    floor = done(floor, DecideOrder(("S", "X", "F")))
    won = {award.round_id: award.amount_micros for award in floor.awards.values()}
    assert won == {"S": 40_001_000_000, "X": 360_009_000_000, "F": 10_000_000_000}


@rule("A-55", "A-58")
def test_a_reported_seat_without_a_wager_is_told_before_an_admitted_one_that_has_one() -> None:
    floor = floor_after(
        *A_TABLE,
        OpenSystem("A", WITHIN_OPTION_1, ("T",)),
        RegisterWagers("R", "T", frozenset({1}), 500),
        RecordOutcome("R"),
    )
    wrong_twice = CorrectSettlement("R", {3: HandReport(Hand.FLUSH)}, admitted=frozenset({1}))
    assert refusal(floor, wrong_twice, context()) is Kind.SEAT_WITHOUT_WAGER


@rule("A-57", "A-38")
def test_paper_that_does_not_tell_its_time_is_not_keyed_in() -> None:
    """Without a time a late royal could never be found to have come late."""
    keyed = Context(0, actor=Person("1", ASSISTANT_CASINO_MANAGER), second=Person("2", DEALER))
    floor = floor_after(*A_TABLE, OpenSystem("A", WITHIN_OPTION_1, ("T",)), SetManual("T", True))
    floor = done(floor, RegisterWagers("R", "T", frozenset({1}), 500, paper="P1"), keyed)
    assert refusal(floor, RecordOutcome("R", paper="P1"), keyed) is Kind.MANUAL_ON_PAPER
    misdealt = DeclareIrregularity("T", "misdeal", paper="P1", round_id="R")
    assert refusal(floor, misdealt, keyed) is Kind.MANUAL_ON_PAPER
