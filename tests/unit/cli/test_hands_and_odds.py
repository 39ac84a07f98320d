"""``classify`` and ``odds`` as typed at a terminal: what they print and how they refuse."""

import json
import subprocess
import sys

import pytest

from tests.rules import rule
from tests.unit.cli.program import Program

# classify


@rule("HND-1", "HND-3")
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["As Ks Qs Js Ts"], "As Ks Qs Js Ts: royal flush (52-card deck)\n"),
        (["as,ks,qs,js,10s"], "As Ks Qs Js Ts: royal flush (52-card deck)\n"),
        (["9h", "8h", "7h", "6h", "5h"], "9h 8h 7h 6h 5h: straight flush (52-card deck)\n"),
        (["AcJd8h4s2c"], "Ac Jd 8h 4s 2c: no pair (52-card deck)\n"),
        (["Ah 5h 6h 7h 8h", "--deck", "40"], "Ah 5h 6h 7h 8h: straight flush (40-card deck)\n"),
    ],
)
def test_classify_names_the_hand(meter_server: Program, arguments: list[str], line: str) -> None:
    assert meter_server("classify", *arguments) == (0, line, "")


def test_classify_speaks_json(meter_server: Program) -> None:
    typed = meter_server("classify", "7c 7d 7h 7s 2c", "--json")
    assert typed.exit_code == 0
    assert json.loads(typed.output) == {
        "cards": "7c 7d 7h 7s 2c",
        "deck": 52,
        "hand": "four-of-a-kind",
    }


HOW_TO_WRITE = "Write rank 2-9 T J Q K A and suit c d h s, for example As."


@pytest.mark.parametrize(
    ("arguments", "reason", "rule_cited", "remedy"),
    [
        (
            ["Ax Ks Qs Js Ts"],
            "The card 'Ax' does not exist.",
            "WSOP 3.1; Three Card 3.1",
            HOW_TO_WRITE,
        ),
        ([""], "No card is given.", "WSOP 3.1; Three Card 3.1", HOW_TO_WRITE),
        (
            ["As As Qs Js Ts"],
            "The card As is given twice and the deck holds it once.",
            "WSOP 3.1; Three Card 3.1",
            "Correct the cards.",
        ),
        (
            ["As Ks Qs Js"],
            "A hand is five cards and 'As Ks Qs Js' has 4.",
            "WSOP 3.6.1",
            "Give exactly five cards.",
        ),
        (
            ["As Ks Qs Js 4s", "--deck", "40"],
            "The card 4s is not in a deck of 40 cards, which begins at 5.",
            "Gazette Poker 3.1.1-3.1.4",
            "Correct the card or the deck.",
        ),
        (
            ["As Ks Qs Js Ts", "--deck", "48", "--json"],
            "There is no deck of 48 cards.",
            "Gazette Poker 3.1.1-3.1.4",
            "Use 52, 40, 36 or 32.",
        ),
    ],
)
def test_classify_refuses_with_one_sentence_and_its_rule(
    meter_server: Program, arguments: list[str], reason: str, rule_cited: str, remedy: str
) -> None:
    sentence = f"meter-server: {reason} [{rule_cited}] {remedy}\n"
    assert meter_server("classify", *arguments) == (2, "", sentence)


@pytest.mark.parametrize(
    "arguments", [[], ["As Ks Qs Js Ts", "--deck", "full"], ["As Ks Qs Js Ts", "--best"]]
)
def test_classify_says_how_it_is_used(meter_server: Program, arguments: list[str]) -> None:
    typed = meter_server("classify", *arguments)
    assert (typed.exit_code, typed.output) == (2, "")
    assert typed.error.endswith("Try 'meter-server classify --help'.\n")


def test_a_refusal_shows_no_traceback_in_a_process_of_its_own() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "meter_server", "classify", "\x1b[2J"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(r"meter-server: The card '\x1b[' does not exist.")


# odds


@rule("HND-1", "A-28")
def test_odds_prints_readable_tables(meter_server: Program) -> None:
    typed = meter_server("odds")
    assert (typed.exit_code, typed.error) == (0, "")
    rows = [line.split() for line in typed.output.splitlines()]
    for expected in (
        "royal flush 4 649,740.00",
        "no pair 1,302,540 2.00",
        "A prize of the meter falls once in 64,974 wagers.",
        "Ultimate Texas Holdem 2 + 3 0+0, 0+1, 0+2, 1+0, 1+1",
        "Three Card Poker 3 + 2 0+0, 0+1, 0+2, 1+0, 1+1",
        "1 10,000 34.06 53.267 1.539 0.004 88.870 $121,750",
        "2 75,000 20.28 56.303 11.543 0.749 88.875 $111,387",
    ):
        assert expected.split() in rows


@rule("A-28")
def test_odds_speaks_json(meter_server: Program) -> None:
    typed = meter_server("odds", "--json")
    assert (typed.exit_code, typed.error) == (0, "")
    document = json.loads(typed.output)
    assert document["hands_dealt"] == 2_598_960
    assert document["meter_prize_one_in"] == "64974.00"
    assert len(document["hands"]) == 10
    assert document["hands"][1] == {"hand": "straight-flush", "ways": 36, "one_in": "72193.33"}
    possible = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    assert document["possible_splits"] == {
        game: [{"royals": royals, "straight_flushes": others} for royals, others in possible]
        for game in ("wsop", "ultimate", "three-card")
    }
    assert len(document["returns"]) == 14
    assert document["returns"][6] == {
        "option": 1,
        "seed": 75_000,
        "rate_percent": "23.50",
        "bonus_percent": "53.267",
        "royal_reseed_percent": "11.543",
        "straight_flush_top_up_percent": "0.555",
        "total_percent": "88.866",
        "mean_royal_dollars": "121736",
    }


def test_odds_takes_no_argument(meter_server: Program) -> None:
    typed = meter_server("odds", "royal")
    assert (typed.exit_code, typed.output) == (2, "")
    assert typed.error.endswith("Try 'meter-server odds --help'.\n")
