"""``meter-server settle`` as a manager types it: figures, statement, refusals."""

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from tests.rules import rule
from tests.unit.cli.program import Program


def line(
    game: str = "wsop",
    meter: str = "412345.678901",
    royals: str = "1",
    straight_flushes: str = "1",
    *more: str,
    option: str = "1",
    seed: str = "20000",
    cost: str = "5.00",
) -> list[str]:
    """The command line of one calculation."""
    return [
        "settle",
        *("--game", game, "--option", option, "--seed", seed, "--cost", cost),
        *("--meter", meter, "--royals", royals, "--straight-flushes", straight_flushes),
        *more,
    ]


def answer(meter_server: Program, arguments: list[str]) -> dict[str, Any]:
    typed = meter_server(*arguments, "--json")
    assert (typed.exit_code, typed.error) == (0, "")
    document = json.loads(typed.output)
    assert isinstance(document, dict)
    return document


# For programs


@rule("SET-6", "A-8", "AUD-1")
@pytest.mark.parametrize("game", ["wsop", "ultimate", "three-card"])
def test_the_answer_holds_every_figure(meter_server: Program, game: str) -> None:
    """412,346 x 10/11 = 374,860 and x 1/11 = 37,486, exactly."""
    found = answer(meter_server, line(game))
    expected = {
        "game": game,
        "option": 1,
        "seed": 20_000,
        "cost": "5.00",
        "meter": "412345.678901",
        "j": "412346.00",
        "r": "100000.00",
        "royals": 1,
        "straight_flushes": 1,
        "pool": "412346.00",
        "royal_each": "374860.00",
        "straight_flush_each": "37486.00",
        "paid_total": "412346.00",
        "meter_after_payment": "-0.321099",
        "meter_after": "100000.00",
        "reset": True,
        "reset_rule": "Three Card 6.4.1" if game == "three-card" else "WSOP 9.4.1",
        "reachable": True,
    }
    assert {name: found[name] for name in expected} == expected


@rule("A-2", "A-8")
def test_exact_and_printed_amounts_stand_beside_what_is_paid(meter_server: Program) -> None:
    found = answer(meter_server, line("three-card", "1234580", "2", "1", seed="40000", cost="10"))
    royal, straight_flush = found["shares"]
    assert royal == {
        "hand": "royal-flush",
        "count": 2,
        "rule": "Three Card 7.4.1, 7.4.2",
        "of_pool": "10/21",
        "of_j": "10/21",
        "of_r": "10/21",
        "by_formula": str(Fraction(16_345_800, 21)),
        "printed": "47.619%",
        "by_printed": str(Fraction(1_634_580 * 47_619, 100_000)),
        "paid": "778371.43",
    }
    assert (straight_flush["printed"], straight_flush["paid"]) == ("4.762%", "77837.15")
    assert (found["paid_total"], found["reachable"]) == ("1634580.01", False)


@rule("A-8")
@pytest.mark.parametrize(
    ("unit", "royal", "straight_flush"),
    [
        ("0.01", "557506.37", "55750.64"),
        ("0.05", "557506.40", "55750.65"),
        ("1", "557507.00", "55751.00"),
    ],
)
def test_the_unit_is_the_one_asked_for(
    meter_server: Program, unit: str, royal: str, straight_flush: str
) -> None:
    found = answer(meter_server, line("wsop", "613257", "1", "1", "--unit", unit))
    assert (found["royal_each"], found["straight_flush_each"]) == (royal, straight_flush)


@rule("A-2")
def test_the_basis_is_the_one_asked_for(meter_server: Program) -> None:
    found = answer(meter_server, line("wsop", "613257", "1", "1", "--basis", "printed"))
    assert (found["royal_each"], found["straight_flush_each"]) == ("557505.81", "55751.20")
    assert found["readings"] == "split=printed;unit=0.01"


@rule("MET-4", "A-13")
@pytest.mark.parametrize(
    ("meter", "after", "reset"),
    [("11111.199999", "10000.00", True), ("11111.200000", "10000.00", False)],
)
def test_a_millionth_decides_a_reset(
    meter_server: Program, meter: str, after: str, reset: bool
) -> None:
    found = answer(meter_server, line("wsop", meter, "0", "1", seed="10000", cost="1"))
    assert (found["meter_after"], found["reset"]) == (after, reset)
    assert (found["royal_each"], found["straight_flush_each"]) == ("0.00", "1111.20")


# For people


def rows(output: str) -> list[list[str]]:
    return [row.split() for row in output.splitlines()]


def test_no_amount_is_broken_in_a_narrow_terminal(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    typed = meter_server(*line("wsop", "613256.5", "1", "1"))
    # 10/11 and 1/11 of the pool of 613,257, up to the next cent: no column is left out.
    for amount in ("$613,256.50", "$613,257.00", "$557,506.37", "$55,750.64"):
        assert any(amount in row for row in typed.output.splitlines()), amount


@rule("A-2", "AUD-1")
@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_statement_can_be_read_and_signed(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    typed = meter_server(*line("wsop", "613256.5", "1", "1"))
    assert (typed.exit_code, typed.error) == (0, "")
    assert max(len(row) for row in typed.output.splitlines()) <= int(columns)
    found = rows(typed.output)
    for expected in (
        "WSOP Bonus Texas Holdem, Option 1: worked statement",
        "One deck of 52 cards can give these hands in one round.",
        "m, the meter recorded $613,256.50 WSOP 10.2.2",
        "j, m up to a whole dollar $613,257.00 WSOP 10.2.1",
        "r, reseed: seed x cost $100,000.00 WSOP 9.4.1",
        "prize pool: j + r(R - 1) $613,257.00 WSOP 10.3.1",
        "share by the formula 10/11 of the pool 1/11 of the pool",
        "share as printed 90.909% 9.091%",
        "by the formula $557,506.363636… $55,750.636363…",
        "by the printed share $557,505.80613 $55,751.19387",
        "printed less formula -$0.557506… $0.557506…",
        "rounded up by $0.006363… $0.003636…",
        "PAID TO EACH $557,506.37 $55,750.64",
        "Paid by the formula and up to the next $0.01 [WSOP 6.2.3].",
        "prizes paid in all -$613,257.01",
        "meter after payment -$0.51",
        "RESET: the house adds $100,000.51 WSOP 9.4.1",
        "METER AFTERWARDS $100,000.00",
        "Determined by a TG Assistant Casino Manager (or above) [WSOP 10.1.1]:",
    ):
        assert expected.split() in found
    assert "Signature ____" in typed.output


@rule("A-28")
def test_winners_that_one_deck_cannot_give_are_warned_of(meter_server: Program) -> None:
    output = meter_server(*line("three-card", "412345.678901", "2", "1")).output
    told = " ".join(output.split())
    assert "WARNING: one deck of 52 cards cannot give these hands in one round." in told
    assert "Check the entry and the deck [Three Card 11.12]." in told
    assert "RESET: the house adds $200,000.331099 Three Card 6.4.2" in told


@rule("A-13")
def test_no_reset_is_said_with_its_rule(meter_server: Program) -> None:
    found = rows(
        meter_server(*line("ultimate", "11111.2", "0", "1", seed="10000", cost="1")).output
    )
    assert ["no", "reset:", "not", "below", "$10,000.00", "WSOP", "9.4.1"] in found


def test_a_round_without_winners_needs_no_signature(meter_server: Program) -> None:
    output = meter_server(*line("wsop", "412345", "0", "0")).output
    assert "nothing is paid from the meter" in output
    assert "Signature" not in output


# Refusals

NOT_AN_AMOUNT = "is not an amount in dollars: write at most twelve digits and six decimals"


@pytest.mark.parametrize(
    ("arguments", "sentence", "cited"),
    [
        (line(seed="25000"), "25,000 is not an initial seed", "WSOP Table 2; Three Card Table 1"),
        (line(option="2", seed="-1"), "-1 is not an initial seed", "WSOP Table 3"),
        (line(cost="0"), "a positive number of whole cents", "WSOP 9.2.3; Three Card 6.2.3"),
        (line(cost="5.001"), "a positive number of whole cents", "WSOP 9.2.3"),
        (
            line(meter="99999.999999"),
            "A meter never stands below seed x cost, here $100,000.00, and $99,999.999999 does.",
            "[WSOP 9.3]",
        ),
        (line("three-card", "0"), "A meter never stands below seed x cost", "[Three Card 6.3]"),
        (line(cost="9007199254"), "A meter never stands below seed x cost", "[WSOP 9.3]"),
        (line(meter="-5"), f"'-5' {NOT_AN_AMOUNT}", "MET-2"),
        (line(meter="NaN"), f"'NaN' {NOT_AN_AMOUNT}", "MET-2"),
        (line(meter="1e400"), f"'1e400' {NOT_AN_AMOUNT}", "MET-2"),
        (line(meter="412,345.67"), f"'412,345.67' {NOT_AN_AMOUNT}", "MET-2"),
        (line(meter=str(2**63)), f"'{2**63}' {NOT_AN_AMOUNT}", "MET-2"),
        (line(meter="9" * 6_000), NOT_AN_AMOUNT, "MET-2"),
        (line(cost="nan"), f"'nan' {NOT_AN_AMOUNT}", "MET-2"),
        (line("wsop", "412345", "2", "0"), "provide no split for 2 royal and 0", "[WSOP 10.3.1]"),
        (line("ultimate", "412345", "0", "3"), "provide no split for 0 royal", "[WSOP 10.3.2]"),
        (line("three-card", "412345", "5", "0"), "provide no split", "[Three Card 7.4.1, 7.4.2]"),
        (line("three-card", "412345", "4", "6"), "more than the 9 hands", "[Three Card 2.1]"),
        (line("wsop", "412345", "1", "1", "--unit", "0"), "positive number of whole cents", "A-8"),
        (line("wsop", "412345", "1", "1", "--unit", "0.001"), "whole cents", "A-8"),
    ],
)
def test_a_refusal_is_one_line_with_its_rule(
    meter_server: Program, arguments: list[str], sentence: str, cited: str
) -> None:
    typed = meter_server(*arguments, "--json")
    assert (typed.exit_code, typed.output) == (2, "")
    assert typed.error.startswith("meter-server: ")
    assert typed.error.count("\n") == 1
    assert sentence in typed.error
    assert cited in typed.error
    assert len(typed.error) < 400


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (line("poker"), "'poker' is not one of 'wsop', 'ultimate', 'three-card'"),
        (line(option="3"), "'3' is not one of '1', '2'"),
        (line(seed="20,000"), "'20,000' is not a valid integer"),
        (line("wsop", "412345", "one", "0"), "'one' is not a valid integer"),
        (line("wsop", "412345", "1", "1", "--basis", "exact"), "not one of 'formula', 'printed'"),
        (["settle"], "Missing option '--game'. Choose from: wsop, ultimate, three-card."),
        (line()[:-6], "Missing option '--meter'."),
    ],
)
def test_a_wrong_command_line_says_how_it_is_used(
    meter_server: Program, arguments: list[str], sentence: str
) -> None:
    typed = meter_server(*arguments)
    assert (typed.exit_code, typed.output) == (2, "")
    assert sentence in typed.error
    assert typed.error.count("\n") == 1
    assert typed.error.endswith("Try 'meter-server settle --help'.\n")


def test_counts_below_nought_are_refused(meter_server: Program) -> None:
    sentence = (
        "meter-server: Royal and straight flushes are counted from nought. [WSOP Tables 4 and 5] "
        "Correct the number of hands.\n"
    )
    assert meter_server(*line("wsop", "412345", "-1", "0")) == (2, "", sentence)


@pytest.mark.parametrize("meter", ["9007199254.740992", "999999999999"])
def test_more_than_the_journal_holds_is_refused(meter_server: Program, meter: str) -> None:
    sentence = (
        f"meter-server: Invalid value for '--meter': {meter} dollars are more than a journal "
        "holds: give at most 9007199254.740991. Try 'meter-server settle --help'.\n"
    )
    assert meter_server(*line("wsop", meter, "1", "0")) == (2, "", sentence)


def test_all_that_the_journal_holds_is_settled(meter_server: Program) -> None:
    told = answer(meter_server, line("wsop", "9007199254.740991", "1", "0"))
    assert told["royal_each"] == "9007199255.00"


def test_it_works_in_a_process_of_its_own() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "meter_server", *line(), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["royal_each"] == "374860.00"


def test_hands_that_are_not_named_are_none(meter_server: Program) -> None:
    """One royal alone takes the whole rounded value: the other count may be left out."""
    told = answer(meter_server, line()[:-2])
    assert (told["straight_flushes"], told["royal_each"]) == (0, "412346.00")
