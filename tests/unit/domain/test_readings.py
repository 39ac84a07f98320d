"""Readings an installation may set: their defaults, their bounds, their name in a settlement."""

import pytest

from meter_server.domain.rulebook.readings import (
    DARK_SIGN_US,
    DEFAULT_READINGS,
    TABLE_NOTICE_US,
    Readings,
    Scope,
    SplitBasis,
    readings_from_label,
)
from tests.rules import rule

MINUTE_US = 60_000_000


@rule("A-2", "A-8", "A-31", "A-36")
def test_the_defaults_are_the_readings_chosen() -> None:
    assert DEFAULT_READINGS.split_basis is SplitBasis.FORMULA
    assert DEFAULT_READINGS.payable_unit_micros == 10_000  # one cent
    assert DEFAULT_READINGS.scope is Scope.CASINO
    assert DEFAULT_READINGS.terms_notice_us == 24 * 60 * MINUTE_US


@rule("SYS-7", "SYS-8", "A-35")
def test_signs_stand_for_twenty_minutes_and_may_be_dark_for_one() -> None:
    assert TABLE_NOTICE_US == 20 * MINUTE_US
    assert DARK_SIGN_US == MINUTE_US


@rule("A-36")
def test_a_reasonable_period_is_never_under_twenty_minutes() -> None:
    assert Readings(terms_notice_us=20 * MINUTE_US).terms_notice_us == 20 * MINUTE_US
    sentence = r"^The notice of a change of option is never under 20 minutes \(A-36\)\.$"
    with pytest.raises(ValueError, match=sentence):
        Readings(terms_notice_us=20 * MINUTE_US - 1)


@rule("A-8")
@pytest.mark.parametrize("unit_micros", [10_000, 50_000, 1_000_000])
def test_the_payable_unit_is_whole_cents(unit_micros: int) -> None:
    assert Readings(payable_unit_micros=unit_micros).payable_unit_micros == unit_micros


@rule("A-8")
@pytest.mark.parametrize("unit_micros", [0, -10_000, 1, 9_999, 15_000])
def test_any_other_unit_is_refused(unit_micros: int) -> None:
    sentence = r"^The payable unit is a positive number of whole cents \(A-8\)\.$"
    with pytest.raises(ValueError, match=sentence):
        Readings(payable_unit_micros=unit_micros)


@pytest.mark.parametrize("life_us", [0, -1])
def test_a_notice_lives_for_some_time(life_us: int) -> None:
    assert Readings(notice_life_us=1).notice_life_us == 1
    with pytest.raises(ValueError, match=r"^A notice must live for some time after its period\.$"):
        Readings(notice_life_us=life_us)


@rule("A-2", "A-8")
@pytest.mark.parametrize(
    ("readings", "label"),
    [
        (Readings(), "split=formula;unit=0.01"),
        (Readings(payable_unit_micros=50_000), "split=formula;unit=0.05"),
        (
            Readings(split_basis=SplitBasis.PRINTED, payable_unit_micros=1_000_000),
            "split=printed;unit=1.00",
        ),
    ],
)
def test_a_settlement_can_be_worked_again_from_the_name_of_its_readings(
    readings: Readings, label: str
) -> None:
    assert readings.label() == label
    assert readings_from_label(label) == readings
