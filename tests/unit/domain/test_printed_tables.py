"""Every printed cell of every jackpot table, against a transcription that is not the product's."""

from fractions import Fraction

import pytest

from meter_server.domain.hands import Hand
from meter_server.domain.money import MICROS_PER_DOLLAR
from meter_server.domain.rulebook.games import THREE_CARD, ULTIMATE, WSOP, Game
from meter_server.domain.rulebook.terms import OPTION_1, OPTION_2, Option, Terms
from meter_server.domain.settlement import (
    percent_text,
    prize_pool_micros,
    royal_fraction,
    settle,
    straight_flush_fraction,
    straight_flushes_alone,
)
from tests.independent import printed_tables as printed
from tests.rules import rule

SEEDS = [
    pytest.param(OPTION_1, printed.WSOP_TABLE_2, id="WSOP Table 2"),
    pytest.param(OPTION_2, printed.WSOP_TABLE_3, id="WSOP Table 3"),
    pytest.param(OPTION_1, printed.THREE_CARD_TABLE_1, id="Three Card Table 1"),
    pytest.param(OPTION_2, printed.THREE_CARD_TABLE_2, id="Three Card Table 2"),
]
PAYOUTS = [
    pytest.param(OPTION_1, printed.WSOP_TABLE_4, id="WSOP Table 4"),
    pytest.param(OPTION_2, printed.WSOP_TABLE_5, id="WSOP Table 5"),
    pytest.param(OPTION_1, printed.THREE_CARD_TABLE_3, id="Three Card Table 3"),
    pytest.param(OPTION_2, printed.THREE_CARD_TABLE_4, id="Three Card Table 4"),
]
HOLDEM = [pytest.param(WSOP, id="wsop"), pytest.param(ULTIMATE, id="ultimate")]
TERMS = Terms(1, 20_000, 500)
METER_MICROS = 412_345_678_901


def test_the_transcription_has_every_cell() -> None:
    """So that no table is proved by an empty list."""
    seeds = (printed.WSOP_TABLE_2, printed.WSOP_TABLE_3)
    assert [len(table) for table in seeds] == [7, 7]
    seeds = (printed.THREE_CARD_TABLE_1, printed.THREE_CARD_TABLE_2)
    assert [len(table) for table in seeds] == [7, 7]
    payouts = (printed.WSOP_TABLE_4, printed.WSOP_TABLE_5)
    assert [len(table) for table in payouts] == [5, 6]
    payouts = (printed.THREE_CARD_TABLE_3, printed.THREE_CARD_TABLE_4)
    assert [len(table) for table in payouts] == [5, 6]
    splits = (printed.WSOP_TABLE_6, printed.WSOP_TABLE_7, printed.WSOP_TABLE_8)
    assert [len(table) for table in splits] == [1, 1, 1]
    assert len(printed.THREE_CARD_TABLE_5) == 4
    assert len(printed.THREE_CARD_TABLE_6) == 32
    assert len(printed.THREE_CARD_TABLE_7) == 28
    assert len(printed.THREE_CARD_TABLE_8) == 7


@rule("SYS-10", "MET-3", "A-51")
@pytest.mark.parametrize(("option", "table"), SEEDS)
def test_seeds_and_rates_are_those_printed(option: Option, table: list[tuple[str, str]]) -> None:
    held = [
        (f"{row.seed_dollars:,}", f"{row.rate_bp // 100}.{row.rate_bp % 100:02d}%")
        for row in option.rows
    ]
    assert held == table


@rule("BON-1", "SET-5", "SYS-10", "A-51")
@pytest.mark.parametrize(("option", "table"), PAYOUTS)
def test_payouts_are_those_printed(option: Option, table: list[tuple[str, str]]) -> None:
    bonus = {hand.title: dollars for hand, dollars in option.bonus_dollars}
    bonus_printed = {
        outcome.lower(): int(payout.split(" ")[0].removeprefix("$"))
        for outcome, payout in table
        if "bonus payout" in payout
    }
    assert bonus == bonus_printed
    of_the_meter = {
        outcome: payout.split("%")[0] for outcome, payout in table if "rounded meter" in payout
    }
    assert of_the_meter == {"Royal Flush": "100", "Straight Flush": "10"}
    assert royal_fraction(1, 0) == Fraction(int(of_the_meter["Royal Flush"]), 100)
    alone = straight_flushes_alone(1)
    assert alone.of_j == Fraction(int(of_the_meter["Straight Flush"]), 100)
    assert alone.of_r == 0


def test_each_option_names_the_tables_it_was_typed_from() -> None:
    assert OPTION_1.seed_citation == "WSOP Table 2; Three Card Table 1"
    assert OPTION_2.seed_citation == "WSOP Table 3; Three Card Table 2"
    assert OPTION_1.payout_citation == "WSOP Table 4; Three Card Table 3"
    assert OPTION_2.payout_citation == "WSOP Table 5; Three Card Table 4"


@rule("SET-6", "A-1", "A-51")
@pytest.mark.parametrize("table", [printed.WSOP_TABLE_6, printed.THREE_CARD_TABLE_6])
def test_royal_shares_are_those_printed(table: printed.Cells) -> None:
    assert {cell: percent_text(royal_fraction(*cell)) for cell in table} == table


@rule("SET-6", "A-1")
@pytest.mark.parametrize("table", [printed.WSOP_TABLE_7, printed.THREE_CARD_TABLE_7])
def test_straight_flush_shares_beside_a_royal_are_those_printed(table: printed.Cells) -> None:
    assert {cell: percent_text(straight_flush_fraction(*cell)) for cell in table} == table


@rule("SET-8", "A-3", "A-11")
@pytest.mark.parametrize("table", [printed.WSOP_TABLE_8, printed.THREE_CARD_TABLE_8])
def test_straight_flush_shares_alone_are_those_printed(table: printed.Cells) -> None:
    held = {}
    for royals, count in table:
        parts = straight_flushes_alone(count)
        held[royals, count] = f"{percent_text(parts.of_j)}j + {percent_text(parts.of_r)}r"
    assert held == table


@rule("SET-6", "SET-7")
def test_the_prize_pool_is_that_printed() -> None:
    j_micros, r_micros = 1_234_580 * MICROS_PER_DOLLAR, 400_000 * MICROS_PER_DOLLAR
    amounts = {
        "j": 1_234_580,
        "j + r": 1_234_580 + 400_000,
        "j + 2r": 1_234_580 + 800_000,
        "j + 3r": 1_234_580 + 1_200_000,
    }
    for royals, text in printed.THREE_CARD_TABLE_5.items():
        pool_micros = prize_pool_micros(j_micros, r_micros, royals)
        assert pool_micros == amounts[text] * MICROS_PER_DOLLAR


def _printed_for(game: Game, royals: int, straight_flushes: int) -> dict[Hand, str]:
    """The cells a manager would look up for one round, in the tables of the game's document."""
    three_card = game is THREE_CARD
    beside = printed.THREE_CARD_TABLE_7 if three_card else printed.WSOP_TABLE_7
    royal = printed.THREE_CARD_TABLE_6 if three_card else printed.WSOP_TABLE_6
    alone = printed.THREE_CARD_TABLE_8 if three_card else printed.WSOP_TABLE_8
    cell = royals, straight_flushes
    found = {
        Hand.ROYAL_FLUSH: royal.get(cell),
        Hand.STRAIGHT_FLUSH: beside.get(cell) or alone.get(cell),
    }
    return {hand: text for hand, text in found.items() if text is not None}


@rule("SET-6", "SET-7", "SET-8", "A-1", "A-2")
@pytest.mark.parametrize(
    ("royals", "straight_flushes"),
    [
        (royals, straight_flushes)
        for royals in range(5)
        for straight_flushes in range(8)
        if 0 < royals + straight_flushes <= 9
    ],
)
def test_a_three_card_statement_shows_the_cells_of_its_round(
    royals: int, straight_flushes: int
) -> None:
    statement = settle(THREE_CARD, TERMS, METER_MICROS, royals, straight_flushes)
    shown = {share.hand: share.printed_text for share in statement.shares}
    assert shown == _printed_for(THREE_CARD, royals, straight_flushes)


@rule("SET-6", "SET-8", "A-2")
@pytest.mark.parametrize("game", HOLDEM)
@pytest.mark.parametrize(("royals", "straight_flushes"), [(1, 1), (0, 2)])
def test_a_holdem_statement_shows_the_cells_of_its_round(
    game: Game, royals: int, straight_flushes: int
) -> None:
    statement = settle(game, TERMS, METER_MICROS, royals, straight_flushes)
    shown = {share.hand: share.printed_text for share in statement.shares}
    assert shown == _printed_for(game, royals, straight_flushes)


@rule("SET-6", "SET-8", "A-28")
def test_each_game_provides_the_splits_of_its_tables_and_no_other() -> None:
    single = {(0, 0), (1, 0), (0, 1)}  # no winner, and the single winners of the payout tables
    holdem = {*printed.WSOP_TABLE_6, *printed.WSOP_TABLE_7, *printed.WSOP_TABLE_8}
    assert WSOP.splits == ULTIMATE.splits == single | holdem
    three_card = {*printed.THREE_CARD_TABLE_6, *printed.THREE_CARD_TABLE_8}
    assert THREE_CARD.splits == single | three_card


@rule("A-2")
def test_printed_percentages_do_not_add_up_to_the_pool() -> None:
    """Why the formula is the default: by print a pool is paid from 99.998 % to 100.004 %."""
    sums = {
        (royals, others): royals * _thousandths(printed.THREE_CARD_TABLE_6[royals, others])
        + others * _thousandths(printed.THREE_CARD_TABLE_7.get((royals, others), "0.000%"))
        for royals, others in printed.THREE_CARD_TABLE_6
    }
    assert (min(sums.values()), max(sums.values())) == (99_998, 100_004)


def _thousandths(percent: str) -> int:
    return int(percent.removesuffix("%").replace(".", ""))
