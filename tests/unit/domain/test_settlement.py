"""What a round wins: worked figures, every event of a round, thresholds and properties.

Expected amounts are worked out by hand or by fractions written down here from the rules' text.
"""

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.hands import Hand
from meter_server.domain.money import parse_dollars, plain_dollars
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.games import THREE_CARD, ULTIMATE, WSOP, Game
from meter_server.domain.rulebook.readings import Readings, SplitBasis
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import Statement, settle
from meter_server.domain.statements import statement_json
from tests.independent import printed_tables as printed
from tests.rules import rule

MICROS = 1_000_000
ONE_DOLLAR = Terms(1, 10_000, 100)  # r = $10,000
FIVE_DOLLARS = Terms(1, 20_000, 500)  # r = $100,000
GAMES = [pytest.param(game, id=game.key) for game in (WSOP, ULTIMATE, THREE_CARD)]
CENT = 10_000


def worked(
    meter: str,
    royals: int,
    straight_flushes: int,
    terms: Terms = ONE_DOLLAR,
    game: Game = THREE_CARD,
    readings: Readings | None = None,
) -> Statement:
    return settle(
        game,
        terms,
        parse_dollars(meter),
        royals,
        straight_flushes,
        readings=readings or Readings(),
    )


def each(statement: Statement) -> tuple[str, str]:
    """What each royal and each straight flush is paid."""
    return (
        plain_dollars(statement.paid_each(Hand.ROYAL_FLUSH)),
        plain_dollars(statement.paid_each(Hand.STRAIGHT_FLUSH)),
    )


def exact(statement: Statement) -> dict[Hand, Fraction]:
    """What each hand wins before rounding, in dollars."""
    return {share.hand: share.exact_micros / MICROS for share in statement.shares}


# Worked figures


@rule("SET-1", "A-6", "A-7")
@pytest.mark.parametrize("game", GAMES)
def test_j_is_rounded_before_anything_is_shared(game: Game) -> None:
    assert each(worked("10000.000000", 1, 0, game=game)) == ("10000.00", "0.00")
    assert each(worked("10000.000001", 1, 0, game=game)) == ("10001.00", "0.00")
    # Ten percent of 10,001, not of 10,000.000001.
    assert each(worked("10000.000001", 0, 1, game=game)) == ("0.00", "1000.10")


@rule("MET-4", "A-9", "A-13", "SET-5")
@pytest.mark.parametrize("game", GAMES)
def test_one_millionth_decides_whether_a_straight_flush_resets(game: Game) -> None:
    below = worked("11111.199999", 0, 1, game=game)
    assert plain_dollars(below.j_micros) == "11112.00"
    assert each(below) == ("0.00", "1111.20")
    assert plain_dollars(below.meter_after_payment_micros) == "9999.999999"
    assert (below.reset, below.reset_rule) == (True, game.rules.reset)
    assert plain_dollars(below.meter_after_micros) == "10000.00"
    assert plain_dollars(below.top_up_micros) == "0.000001"

    on_the_seed = worked("11111.200000", 0, 1, game=game)
    assert each(on_the_seed) == ("0.00", "1111.20")
    assert plain_dollars(on_the_seed.meter_after_payment_micros) == "10000.00"
    assert (on_the_seed.reset, on_the_seed.reset_rule) == (False, None)
    assert plain_dollars(on_the_seed.meter_after_micros) == "10000.00"
    assert on_the_seed.top_up_micros == 0


@rule("SET-8", "SET-13", "A-3", "A-8")
@pytest.mark.parametrize("game", GAMES)
def test_two_straight_flushes_are_paid_half_cents_upwards(game: Game) -> None:
    """(20,001 - 20,000) x 0.19 / 2 + 2,000 = 2,000.095."""
    statement = worked("20001", 0, 2, Terms(1, 20_000, 100), game)
    assert exact(statement) == {Hand.STRAIGHT_FLUSH: Fraction("2000.095")}
    assert each(statement) == ("0.00", "2000.10")
    assert plain_dollars(statement.paid_micros) == "4000.20"


@rule("SET-6", "SET-13", "A-8")
@pytest.mark.parametrize("game", GAMES)
def test_a_royal_with_a_straight_flush_share_j(game: Game) -> None:
    statement = worked("613256.5", 1, 1, FIVE_DOLLARS, game)
    assert plain_dollars(statement.pool_micros) == "613257.00"
    assert exact(statement) == {
        Hand.ROYAL_FLUSH: Fraction(6_132_570, 11),  # 557,506.3636...
        Hand.STRAIGHT_FLUSH: Fraction(613_257, 11),  # 55,750.6363...
    }
    assert each(statement) == ("557506.37", "55750.64")
    assert plain_dollars(statement.paid_micros) == "613257.01"
    assert plain_dollars(statement.meter_after_micros) == "100000.00"


@rule("SET-6", "SET-9", "A-1", "A-4")
def test_two_royals_with_a_straight_flush_share_j_and_one_reseed() -> None:
    statement = worked("1234580", 2, 1, Terms(1, 40_000, 1_000))
    assert plain_dollars(statement.r_micros) == "400000.00"
    assert plain_dollars(statement.pool_micros) == "1634580.00"
    assert exact(statement) == {
        Hand.ROYAL_FLUSH: Fraction(16_345_800, 21),
        Hand.STRAIGHT_FLUSH: Fraction(1_634_580, 21),
    }
    assert each(statement) == ("778371.43", "77837.15")
    assert plain_dollars(statement.paid_micros) == "1634580.01"


@rule("SET-7", "MET-5", "A-14")
@pytest.mark.parametrize(
    ("royals", "pool", "paid_each"),
    [
        (1, "412346.00", "412346.00"),
        (2, "512346.00", "256173.00"),
        (3, "612346.00", "204115.34"),  # 204,115.333...
        (4, "712346.00", "178086.50"),
    ],
)
def test_royals_alone_share_the_pool_equally(royals: int, pool: str, paid_each: str) -> None:
    statement = worked("412345.678901", royals, 0, FIVE_DOLLARS)
    assert plain_dollars(statement.pool_micros) == pool
    assert each(statement) == (paid_each, "0.00")
    assert statement.reset
    assert statement.reset_rule == ("Three Card 6.4.1" if royals == 1 else "Three Card 6.4.2")


# Who wins what, and the meter afterwards


@rule("SET-2", "MET-4")
@pytest.mark.parametrize("game", GAMES)
def test_a_round_without_winners_leaves_the_meter_as_it_is(game: Game) -> None:
    statement = worked("412345.678901", 0, 0, FIVE_DOLLARS, game)
    assert (statement.shares, statement.paid_micros, statement.reset) == ((), 0, False)
    assert plain_dollars(statement.meter_after_micros) == "412345.678901"


@rule("SET-5", "MET-4", "A-12")
@pytest.mark.parametrize("game", GAMES)
def test_one_royal_takes_j_and_resets(game: Game) -> None:
    statement = worked("412345.678901", 1, 0, FIVE_DOLLARS, game)
    assert each(statement) == ("412346.00", "0.00")
    assert plain_dollars(statement.meter_after_payment_micros) == "-0.321099"
    assert (statement.reset, statement.reset_rule) == (True, game.rules.reset)
    assert plain_dollars(statement.meter_after_micros) == "100000.00"
    # The house adds the reseed and the part of j that was rounded up.
    assert plain_dollars(statement.top_up_micros) == "100000.321099"


@rule("SET-6", "A-12")
@pytest.mark.parametrize("straight_flushes", range(1, 8))
def test_a_royal_with_straight_flushes_pays_j_in_all_and_resets(straight_flushes: int) -> None:
    statement = worked("412345.678901", 1, straight_flushes, FIVE_DOLLARS)
    won = exact(statement)
    assert won[Hand.ROYAL_FLUSH] == 10 * won[Hand.STRAIGHT_FLUSH]
    assert won[Hand.ROYAL_FLUSH] + straight_flushes * won[Hand.STRAIGHT_FLUSH] == 412_346
    assert (statement.reset, statement.reset_rule) == (True, "Three Card 6.4.1")


@rule("SET-6", "MET-5", "A-14")
@pytest.mark.parametrize("royals", range(2, 5))
@pytest.mark.parametrize("straight_flushes", range(6))
def test_several_royals_pay_j_and_their_reseeds_and_reset(
    royals: int, straight_flushes: int
) -> None:
    statement = worked("412345.678901", royals, straight_flushes, FIVE_DOLLARS)
    in_all = sum(share.count * share.exact_micros for share in statement.shares)
    assert in_all == (412_346 + 100_000 * (royals - 1)) * MICROS
    assert (statement.reset, statement.reset_rule) == (True, "Three Card 6.4.2")
    assert plain_dollars(statement.meter_after_micros) == "100000.00"


@rule("A-9", "A-12", "SET-5")
@pytest.mark.parametrize("game", GAMES)
def test_a_straight_flush_comes_off_the_unrounded_meter(game: Game) -> None:
    """200,000.25 - 20,000.10, not 200,001 - 20,000.10."""
    statement = worked("200000.25", 0, 1, FIVE_DOLLARS, game)
    assert each(statement) == ("0.00", "20000.10")
    assert not statement.reset
    assert plain_dollars(statement.meter_after_micros) == "180000.15"


@rule("SET-8", "A-3")
@pytest.mark.parametrize("straight_flushes", range(1, 8))
def test_straight_flushes_alone_take_tenths_of_what_is_left_above_the_reseed(
    straight_flushes: int,
) -> None:
    """Each k-th takes a tenth of what the k - 1 before it left of j - r; all share equally."""
    j, r = Fraction(412_346), Fraction(100_000)
    above, taken = j - r, Fraction(0)
    for _ in range(straight_flushes):
        taken += above / 10
        above -= above / 10
    statement = worked("412345.678901", 0, straight_flushes, FIVE_DOLLARS)
    assert exact(statement) == {Hand.STRAIGHT_FLUSH: taken / straight_flushes + r / 10}


THRESHOLDS = {1: "1.111", 2: "1.247", 3: "1.412", 4: "1.610", 5: "1.847", 6: "2.129", 7: "2.464"}
"""Where j/r must stand, to three decimals, for S straight flushes to leave the seed whole."""


@rule("MET-4", "SET-8", "A-12")
@pytest.mark.parametrize(("straight_flushes", "about"), THRESHOLDS.items())
@pytest.mark.parametrize("terms", [ONE_DOLLAR, FIVE_DOLLARS, Terms(2, 75_000, 1_000)])
def test_straight_flushes_reset_below_the_threshold_only(
    straight_flushes: int, about: str, terms: Terms
) -> None:
    """x - (x - 1)(1 - 0.9^S) - S/10 < 1 where x = j/r, that is x < 1 + (S/10) / 0.9^S.

    A dollar to either side of it decides, whatever the cents of rounding.
    """
    threshold = 1 + Fraction(straight_flushes, 10) / Fraction(9, 10) ** straight_flushes
    assert abs(threshold - Fraction(about)) <= Fraction(1, 2000)
    r = terms.seed_dollars * terms.cost_cents // 100
    under, over = floor(threshold * r) - 1, ceil(threshold * r) + 1
    assert worked(str(under), 0, straight_flushes, terms).reset
    assert not worked(str(over), 0, straight_flushes, terms).reset


@rule("A-56")
def test_an_old_round_shares_by_its_own_terms_and_resets_to_those_in_force() -> None:
    def old_round(meter: str) -> Statement:
        reset_to_micros = 20_000 * MICROS
        return settle(WSOP, ONE_DOLLAR, parse_dollars(meter), 0, 1, reset_to_micros=reset_to_micros)

    left = old_round("25000")
    assert (plain_dollars(left.meter_after_micros), left.reset) == ("22500.00", False)
    fallen = old_round("21000")
    assert plain_dollars(fallen.r_micros) == "10000.00"
    assert plain_dollars(fallen.meter_after_payment_micros) == "18900.00"
    assert (plain_dollars(fallen.meter_after_micros), fallen.reset) == ("20000.00", True)


# Readings


@rule("A-8")
@pytest.mark.parametrize(
    ("unit", "royal", "straight_flush", "in_all"),
    [
        ("0.01", "557506.37", "55750.64", "613257.01"),
        ("0.05", "557506.40", "55750.65", "613257.05"),
        ("1", "557507.00", "55751.00", "613258.00"),
    ],
)
def test_prizes_are_paid_up_to_the_unit_of_the_house(
    unit: str, royal: str, straight_flush: str, in_all: str
) -> None:
    readings = Readings(payable_unit_micros=parse_dollars(unit))
    statement = worked("613257", 1, 1, FIVE_DOLLARS, readings=readings)
    assert each(statement) == (royal, straight_flush)
    assert plain_dollars(statement.paid_micros) == in_all


@rule("A-8", "A-9")
def test_the_meter_is_debited_what_was_paid() -> None:
    """(40,001 - 20,000) x 0.095 + 2,000 = 3,900.095 is paid as 3,901, twice."""
    readings = Readings(payable_unit_micros=MICROS)
    statement = worked("40001", 0, 2, Terms(1, 20_000, 100), readings=readings)
    assert exact(statement) == {Hand.STRAIGHT_FLUSH: Fraction("3900.095")}
    assert plain_dollars(statement.meter_after_micros) == "32199.00"


PRINTED = Readings(split_basis=SplitBasis.PRINTED)


@rule("A-2")
@pytest.mark.parametrize("game", GAMES)
def test_the_printed_basis_pays_the_printed_percentage(game: Game) -> None:
    """613,257 x 90.909 % = 557,505.80613 and x 9.091 % = 55,751.19387."""
    statement = worked("613257", 1, 1, FIVE_DOLLARS, game, PRINTED)
    assert exact(statement) == {
        Hand.ROYAL_FLUSH: Fraction("557505.80613"),
        Hand.STRAIGHT_FLUSH: Fraction("55751.19387"),
    }
    assert each(statement) == ("557505.81", "55751.20")


@rule("A-2", "SET-7")
def test_the_printed_percentage_is_of_the_whole_pool() -> None:
    """Three royals: 33.333 % of 412,346 + 2 x 100,000, not of each part rounded by itself."""
    statement = worked("412345.678901", 3, 0, FIVE_DOLLARS, readings=PRINTED)
    assert exact(statement) == {Hand.ROYAL_FLUSH: Fraction(612_346 * 33_333, 100_000)}
    assert each(statement) == ("204113.30", "0.00")


@rule("A-2")
def test_both_bases_stand_beside_each_other_in_either_statement() -> None:
    """Four straight flushes print 8.598 + 1.403 = 10.001 %: a dollar more in ten thousand."""
    by_formula = worked("100000", 0, 4, FIVE_DOLLARS)
    by_print = worked("100000", 0, 4, FIVE_DOLLARS, readings=PRINTED)
    assert each(by_formula) == ("0.00", "10000.00")
    assert each(by_print) == ("0.00", "10001.00")
    for statement in (by_formula, by_print):
        (share,) = statement.shares
        assert share.printed_text == "8.598%j + 1.403%r"
        assert share.printed_micros == 10_001 * MICROS
        assert share.formula.amount_micros(statement.j_micros, statement.r_micros) == (
            10_000 * MICROS
        )


@rule("A-2")
def test_print_and_formula_differ_by_at_most_five_dollars_in_a_million() -> None:
    worst = Fraction(0)
    for royals, others in printed.THREE_CARD_TABLE_6:
        if royals + others <= 9:
            statement = worked("1000000", royals, others)
            for share in statement.shares:
                gap = abs(share.printed_micros - share.exact_micros) / statement.pool_micros
                worst = max(worst, gap)
    assert Fraction(4, MICROS) < worst <= Fraction(5, MICROS)


@rule("AUD-1")
def test_a_statement_names_what_it_was_made_by() -> None:
    statement = worked("613257", 1, 1, FIVE_DOLLARS, readings=PRINTED)
    assert statement.rulebook == VERSION
    assert statement.readings == "split=printed;unit=0.01"
    assert statement.game == "three-card"
    assert statement.terms == FIVE_DOLLARS


@rule("AUD-1")
def test_the_journal_keeps_the_whole_working() -> None:
    kept = statement_json(worked("613256.5", 1, 1, FIVE_DOLLARS, WSOP))
    assert kept == {
        "rulebook": VERSION,
        "readings": "split=formula;unit=0.01",
        "game": "wsop",
        "option": 1,
        "seed": 20_000,
        "cost_cents": 500,
        "meter": 613_256_500_000,
        "j": 613_257_000_000,
        "r": 100_000_000_000,
        "royals": 1,
        "straight_flushes": 1,
        "pool": 613_257_000_000,
        "shares": [
            {
                "hand": "royal-flush",
                "count": 1,
                "rule": "WSOP 10.3.1",
                "of_pool": "10/11",
                "of_j": "10/11",
                "of_r": "0/1",
                "printed": "90.909%",
                "exact": "6132570000000/11",
                "paid": 557_506_370_000,
            },
            {
                "hand": "straight-flush",
                "count": 1,
                "rule": "WSOP 10.3.1",
                "of_pool": "1/11",
                "of_j": "1/11",
                "of_r": "0/1",
                "printed": "9.091%",
                "exact": "613257000000/11",
                "paid": 55_750_640_000,
            },
        ],
        "paid": 613_257_010_000,
        "after_payment": -510_000,
        "reset": True,
        "reset_rule": "WSOP 9.4.1",
        "reset_to": 100_000_000_000,
        "after": 100_000_000_000,
        "reachable": True,
    }


@rule("AUD-1")
def test_straight_flushes_alone_have_no_share_of_a_pool() -> None:
    kept = statement_json(worked("20001", 0, 2, Terms(1, 20_000, 100)))
    assert kept["shares"] == [
        {
            "hand": "straight-flush",
            "count": 2,
            "rule": "Three Card 7.4.3",
            "of_pool": None,
            "of_j": "19/200",
            "of_r": "1/200",
            "printed": "9.500%j + 0.500%r",
            "exact": "2000095000/1",
            "paid": 2_000_100_000,
        }
    ]


@rule("SET-5", "SET-6", "SET-8")
@pytest.mark.parametrize(
    ("game", "royals", "straight_flushes", "cited"),
    [
        (WSOP, 1, 0, "WSOP Tables 4 and 5"),
        (WSOP, 0, 1, "WSOP Tables 4 and 5"),
        (ULTIMATE, 1, 1, "WSOP 10.3.1"),
        (ULTIMATE, 0, 2, "WSOP 10.3.2"),
        (THREE_CARD, 1, 0, "Three Card Tables 3 and 4"),
        (THREE_CARD, 0, 1, "Three Card Tables 3 and 4"),
        (THREE_CARD, 2, 0, "Three Card 7.4.1, 7.4.2"),
        (THREE_CARD, 2, 3, "Three Card 7.4.1, 7.4.2"),
        (THREE_CARD, 0, 3, "Three Card 7.4.3"),
    ],
)
def test_every_share_cites_its_rule(
    game: Game, royals: int, straight_flushes: int, cited: str
) -> None:
    statement = worked("412345.678901", royals, straight_flushes, game=game)
    assert {share.rule for share in statement.shares} == {cited}


# What cannot be settled


POSSIBLE = {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}


@rule("A-28", "A-29")
@pytest.mark.parametrize("game", GAMES)
def test_only_printed_splits_of_at_most_nine_hands_are_settled(game: Game) -> None:
    for royals in range(12):
        for straight_flushes in range(12):
            on_the_grid = royals <= 4 and straight_flushes <= 7
            split = royals, straight_flushes
            provided = on_the_grid if game is THREE_CARD else split in POSSIBLE
            if provided and sum(split) <= 9:
                statement = worked("412345", *split, FIVE_DOLLARS, game)
                assert statement.reachable is (split in POSSIBLE)
                continue
            with pytest.raises(Refused) as refused:
                worked("412345", *split, FIVE_DOLLARS, game)
            assert refused.value.refusal.kind is Kind.SPLIT_NOT_PROVIDED


@rule("A-28", "A-29")
@pytest.mark.parametrize(
    ("game", "royals", "straight_flushes", "reason", "cited"),
    [
        (WSOP, 2, 0, "The WSOP Bonus Texas Holdem rules provide no split", "WSOP 10.3.1"),
        (ULTIMATE, 0, 3, "The Ultimate Texas Holdem rules provide no split", "WSOP 10.3.2"),
        (THREE_CARD, 5, 0, "The Three Card Poker rules provide no", "Three Card 7.4.1, 7.4.2"),
        (THREE_CARD, 0, 8, "The Three Card Poker rules provide no split", "Three Card 7.4.3"),
        (THREE_CARD, 4, 6, "are more than the 9 hands of a table", "Three Card 2.1"),
        (WSOP, 0, 10, "are more than the 9 hands of a table", "WSOP 2.1"),
    ],
)
def test_a_refused_split_says_why_and_what_to_do(
    game: Game, royals: int, straight_flushes: int, reason: str, cited: str
) -> None:
    with pytest.raises(Refused) as refused:
        worked("412345", royals, straight_flushes, FIVE_DOLLARS, game)
    refusal = refused.value.refusal
    assert reason in refusal.reason
    assert refusal.rule == cited
    assert refusal.remedy.startswith("Correct the ")


@pytest.mark.parametrize(("royals", "straight_flushes"), [(-1, 0), (0, -1), (-1, 2)])
@pytest.mark.parametrize("game", [WSOP, THREE_CARD])
def test_counts_below_nought_are_refused(game: Game, royals: int, straight_flushes: int) -> None:
    with pytest.raises(Refused) as refused:
        worked("412345", royals, straight_flushes, FIVE_DOLLARS, game)
    refusal = refused.value.refusal
    assert refusal.kind is Kind.SPLIT_NOT_PROVIDED
    assert refusal.reason == "Royal and straight flushes are counted from nought."
    assert refusal.rule == game.rules.single_payout
    assert refusal.remedy == "Correct the number of hands."


# Properties

SPLITS = st.sampled_from(
    [(royals, others) for royals in range(5) for others in range(8) if 0 < royals + others <= 9]
)
TERMS = st.builds(
    Terms,
    st.sampled_from([1, 2]),
    st.sampled_from([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000]),
    st.integers(min_value=1, max_value=10_000),
)
ABOVE_SEED = st.integers(min_value=0, max_value=10**13)
UNITS = st.sampled_from([CENT, 5 * CENT, MICROS])


def by_text(j: Fraction, r: Fraction, royals: int, others: int) -> dict[Hand, Fraction]:
    """The formulas as the documents write them, in dollars."""
    if royals:
        pool = j + r * (royals - 1)
        shares = {Hand.ROYAL_FLUSH: pool * 10 / (10 * royals + others)}
        return shares | ({Hand.STRAIGHT_FLUSH: pool / (10 * royals + others)} if others else {})
    total = sum(Fraction(9 ** (k - 1), 10**k) for k in range(1, others + 1))
    return {Hand.STRAIGHT_FLUSH: (j - r) * total / others + r / 10}


@rule("SET-6", "SET-7", "SET-8", "SET-9", "A-3", "A-4")
@given(SPLITS, TERMS, ABOVE_SEED)
def test_shares_equal_the_formulas_as_written(
    split: tuple[int, int], terms: Terms, above_seed_micros: int
) -> None:
    r = Fraction(terms.seed_dollars * terms.cost_cents, 100)
    meter_micros = int(r * MICROS) + above_seed_micros
    j = Fraction(ceil(Fraction(meter_micros, MICROS)))
    statement = settle(THREE_CARD, terms, meter_micros, *split)
    assert exact(statement) == by_text(j, r, *split)


@rule("SET-6", "SET-7")
@given(SPLITS.filter(lambda split: split[0] > 0), TERMS, ABOVE_SEED)
def test_the_whole_pool_is_paid_exactly_once(
    split: tuple[int, int], terms: Terms, above_seed_micros: int
) -> None:
    statement = settle(THREE_CARD, terms, terms.reseed_micros + above_seed_micros, *split)
    won = sum(share.count * share.exact_micros for share in statement.shares)
    assert won == statement.pool_micros


@rule("SET-13", "A-8")
@given(SPLITS, TERMS, ABOVE_SEED, UNITS, st.sampled_from(SplitBasis))
def test_each_payee_gains_less_than_a_unit_by_rounding(
    split: tuple[int, int],
    terms: Terms,
    above_seed_micros: int,
    unit_micros: int,
    basis: SplitBasis,
) -> None:
    readings = Readings(split_basis=basis, payable_unit_micros=unit_micros)
    meter_micros = terms.reseed_micros + above_seed_micros
    statement = settle(THREE_CARD, terms, meter_micros, *split, readings=readings)
    for share in statement.shares:
        assert 0 <= share.paid_micros - share.exact_micros < unit_micros
        assert share.paid_micros % unit_micros == 0
    paid = sum(share.count * share.paid_micros for share in statement.shares)
    assert paid == statement.paid_micros


@rule("MET-4", "MET-6", "A-9", "A-12", "A-13")
@given(SPLITS, TERMS, ABOVE_SEED, UNITS)
def test_the_meter_never_ends_below_its_seed_and_is_reset_only_when_due(
    split: tuple[int, int], terms: Terms, above_seed_micros: int, unit_micros: int
) -> None:
    readings = Readings(payable_unit_micros=unit_micros)
    meter_micros = terms.reseed_micros + above_seed_micros
    statement = settle(THREE_CARD, terms, meter_micros, *split, readings=readings)
    left = meter_micros - statement.paid_micros
    assert statement.meter_after_payment_micros == left
    assert statement.reset is (split[0] > 0 or left < terms.reseed_micros)
    assert statement.meter_after_micros == (terms.reseed_micros if statement.reset else left)
    assert statement.meter_after_micros >= terms.reseed_micros
    assert left + statement.top_up_micros == statement.meter_after_micros


@rule("SET-1")
@given(SPLITS, TERMS, ABOVE_SEED, st.integers(min_value=0, max_value=10**10))
def test_a_higher_meter_never_pays_less(
    split: tuple[int, int], terms: Terms, above_seed_micros: int, more_micros: int
) -> None:
    lower = settle(THREE_CARD, terms, terms.reseed_micros + above_seed_micros, *split)
    higher = settle(THREE_CARD, terms, lower.meter_micros + more_micros, *split)
    for less, more in zip(lower.shares, higher.shares, strict=True):
        assert less.paid_micros <= more.paid_micros


@rule("SET-6", "SET-8")
@given(SPLITS.filter(lambda split: split[1] < 7 and sum(split) < 9), TERMS, ABOVE_SEED)
def test_one_more_straight_flush_never_raises_anybody(
    split: tuple[int, int], terms: Terms, above_seed_micros: int
) -> None:
    meter_micros = terms.reseed_micros + above_seed_micros
    royals, others = split
    before = exact(settle(THREE_CARD, terms, meter_micros, royals, others))
    after = exact(settle(THREE_CARD, terms, meter_micros, royals, others + 1))
    assert all(after[hand] <= won for hand, won in before.items())
