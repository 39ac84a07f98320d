"""The meter refuses what can only be a bug, and knows the least it must record."""

import pytest

from meter_server.domain.entries import MAY_LOWER, Account, EntryKind
from meter_server.domain.meter import Meter, MeterState, Posting, Sums, check, post, under_new_terms
from meter_server.domain.rulebook.terms import Terms
from tests.rules import rule

TERMS = Terms(1, 20_000, 500)
SEED = 100_000_000_000


def at(value: int, **more: int) -> Meter:
    return Meter("S5", TERMS, value_micros=value, base_micros=value - sum(more.values()))


def posting(kind: EntryKind, amount: int) -> Posting:
    return Posting(kind, amount, ((Account.SEED_FUNDING, -amount),), rule="", detail={})


@rule("MET-6")
def test_an_entry_that_does_not_balance_is_a_bug() -> None:
    lopsided = Posting(EntryKind.EXTRA, 2, ((Account.SEED_FUNDING, -1),), rule="", detail={})
    with pytest.raises(ValueError, match="does not balance"):
        post(at(SEED), lopsided)


@rule("MET-6")
@pytest.mark.parametrize("kind", EntryKind)
def test_only_a_closed_list_of_kinds_may_lower_a_meter(kind: EntryKind) -> None:
    if kind in MAY_LOWER:
        assert post(at(SEED), posting(kind, -1))[0].value_micros == SEED - 1
    else:
        with pytest.raises(ValueError, match="may not lower"):
            post(at(SEED), posting(kind, -1))


@rule("MET-6")
def test_an_entry_tells_before_and_after_and_its_place() -> None:
    meter, first = post(at(SEED), posting(EntryKind.EXTRA, 5))
    _, second = post(meter, posting(EntryKind.EXTRA, 7))
    assert (first.seq, first.before_micros, first.after_micros) == (1, SEED, SEED + 5)
    assert (second.seq, second.before_micros, second.after_micros) == (2, SEED + 5, SEED + 12)


@rule("MET-1", "A-10", "A-53")
def test_the_least_is_seed_and_credits_less_prizes_since_the_reset_and_no_transfers() -> None:
    meter = at(SEED)
    for kind, amount in (
        (EntryKind.CREDIT, 100),
        (EntryKind.REVERSAL, -30),
        (EntryKind.TRANSFER_IN, 1_000),
        (EntryKind.EXTRA, 500),
        (EntryKind.PRIZE, -40),
    ):
        meter, _ = post(meter, posting(kind, amount))
    assert meter.minimum_micros == SEED + 100 - 30 - 40
    assert meter.margin_micros == 1_500
    check(meter)
    reset, _ = post(meter, posting(EntryKind.RESET, 1))
    assert (reset.minimum_micros, reset.sums, reset.epoch) == (SEED, Sums(), meter.epoch + 1)


@rule("A-13")
@pytest.mark.parametrize(("value", "below"), [(SEED - 1, True), (SEED, False), (SEED + 1, False)])
def test_exactly_at_the_seed_is_not_below_it(value: int, below: bool) -> None:
    assert at(value).below_seed is below


@rule("MET-6")
def test_the_check_finds_a_meter_below_its_seed_or_apart_from_its_sums() -> None:
    with pytest.raises(ValueError, match="below the least"):
        check(at(SEED - 1))
    with pytest.raises(ValueError, match="below the least"):
        check(Meter("S5", TERMS, value_micros=SEED - 1, base_micros=SEED, sums=Sums(prizes=1)))
    unlisted = Sums(credited=10, transferred=-10)
    with pytest.raises(ValueError, match="below the least"):
        check(Meter("S5", TERMS, value_micros=SEED, base_micros=SEED, sums=unlisted))
    with pytest.raises(ValueError, match="does not equal its sums"):
        check(at(SEED, credited=1))
    closed = Meter("S5", TERMS, state=MeterState.CLOSED)
    check(closed)


@rule("A-56")
def test_the_literal_reading_takes_todays_rate_over_all_turnover_rounded_up() -> None:
    """Three wagers of 5.00 at option 1's 32.51%, then option 2: 29.47% of 15.00 is 4.4205."""
    meter, _ = post(
        at(SEED),
        Posting(
            EntryKind.CREDIT,
            4_876_500,
            ((Account.WAGERS_TAKEN, -4_876_500),),
            rule="",
            detail={},
            turnover_micros=15_000_000,
        ),
    )
    changed = under_new_terms(meter, Terms(2, 20_000, 500))
    assert changed.literal_minimum_micros == SEED + 4_420_500
    assert changed.minimum_micros == SEED + 4_876_500
    odd = Meter("S5", TERMS, value_micros=SEED, base_micros=SEED, sums=Sums(turnover=1))
    assert odd.literal_minimum_micros == SEED + 1


@rule("A-37")
def test_sums_begin_anew_only_where_seed_times_cost_changes() -> None:
    meter, _ = post(at(SEED), posting(EntryKind.CREDIT, 100))
    same = under_new_terms(meter, Terms(2, 20_000, 500))
    other = under_new_terms(meter, Terms(1, 10_000, 500))
    assert (same.base_micros, same.sums.credited) == (SEED, 100)
    assert (other.base_micros, other.sums) == (SEED + 100, Sums())
    assert same.epoch == other.epoch == meter.epoch


@rule("A-56")
def test_the_literal_reading_too_comes_down_by_prizes_and_up_by_any_fraction() -> None:
    def least(turnover: int, prizes: int = 0) -> int:
        sums = Sums(turnover=turnover, prizes=prizes)
        return Meter("S5", TERMS, base_micros=SEED, sums=sums).literal_minimum_micros

    assert least(10_000, prizes=3_000) == SEED + 3_251 - 3_000
    # 32.51% of 4,251 millionths is one ten-thousandth over 1,382 of them.
    assert least(4_251) == SEED + 1_383
