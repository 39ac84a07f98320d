"""A sign's clock: darkness is noted once, over a minute starts it again, nothing turns it back."""

import pytest

from meter_server.domain.notices import Notice, RemoveTable
from meter_server.domain.rulebook.readings import DARK_SIGN_US
from tests.rules import rule

LIT = 1_000_000_000
NOTICE = Notice("N", RemoveTable("T1"), "3001", shown_since_us={"T1": LIT, "T2": LIT})


@rule("A-35")
@pytest.mark.parametrize(("from_us", "missing"), [(LIT - 1, []), (LIT, ["T1"]), (LIT + 1, ["T1"])])
def test_what_was_dark_before_the_sign_was_lit_says_nothing(
    from_us: int, missing: list[str]
) -> None:
    assert NOTICE.dark("T1", from_us).missing(["T1", "T2"]) == missing


@rule("A-35")
def test_a_darkness_is_noted_once_from_its_beginning() -> None:
    dark = NOTICE.dark("T1", LIT + 5)
    assert dark.dark("T1", LIT + 9) == dark
    assert dark.dark_since_us == {"T1": LIT + 5}


@rule("A-35")
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_only_more_than_a_minute_starts_the_clock_again(beyond: int) -> None:
    at = LIT + 5 + DARK_SIGN_US + beyond
    lit = NOTICE.dark("T1", LIT + 5).lit_again("T1", LIT + 50, at)
    assert lit.shown_since_us == {"T1": at if beyond > 0 else LIT, "T2": LIT}
    assert lit.dark_since_us == {}


@rule("A-35")
def test_a_late_report_neither_turns_the_clock_back_nor_ends_a_later_darkness() -> None:
    minute = DARK_SIGN_US
    now_dark = NOTICE.dark("T1", LIT + 9 * minute).dark("T2", LIT + 9 * minute)
    ended_before = now_dark.lit_again("T1", LIT + minute, LIT + 4 * minute)
    assert ended_before.shown_since_us["T1"] == LIT + 4 * minute
    assert ended_before.dark_since_us == now_dark.dark_since_us
    ended_then = now_dark.lit_again("T1", LIT + 9 * minute, LIT + 9 * minute)
    assert ended_then.dark_since_us == {"T2": LIT + 9 * minute}
    before_it_was_lit = NOTICE.lit_again("T1", LIT - 9 * minute, LIT - minute)
    assert before_it_was_lit.shown_since_us["T1"] == LIT
