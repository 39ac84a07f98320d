"""``meter-server rules``: every table in force, with its rule numbers, for people and programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from meter_server.cli.rules import SECTIONS
from meter_server.cli.rules.floor_tables import EFFECTS
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.irregularities import Effect
from tests.independent import printed_tables as printed
from tests.rules import rule
from tests.unit.cli.program import Program


def document(meter_server: Program, *arguments: str) -> dict[str, Any]:
    typed = meter_server("rules", "--json", *arguments)
    assert (typed.exit_code, typed.error) == (0, "")
    found = json.loads(typed.output)
    assert isinstance(found, dict)
    return found


# For programs


@rule("SYS-10")
def test_seeds_are_those_printed(meter_server: Program) -> None:
    held: dict[int, list[tuple[str, str]]] = {1: [], 2: []}
    for record in document(meter_server)["seeds"]:
        held[record["option"]].append((f"{record['seed']:,}", f"{record['rate_percent']}%"))
    assert held == {1: printed.WSOP_TABLE_2, 2: printed.WSOP_TABLE_3}


@rule("SYS-10", "BON-1")
def test_payouts_are_those_printed(meter_server: Program) -> None:
    held = {
        (record["option"], record["hand"]): (
            record["percent_of_rounded_meter"],
            record["dollars_for_each_dollar"],
        )
        for record in document(meter_server)["payouts"]
    }
    assert held == {
        (1, "royal-flush"): (100, 0),
        (1, "straight-flush"): (10, 0),
        (1, "four-of-a-kind"): (0, 500),
        (1, "full-house"): (0, 150),
        (1, "flush"): (0, 100),
        (1, "straight"): (0, 0),
        (2, "royal-flush"): (100, 0),
        (2, "straight-flush"): (10, 0),
        (2, "four-of-a-kind"): (0, 600),
        (2, "full-house"): (0, 100),
        (2, "flush"): (0, 60),
        (2, "straight"): (0, 40),
    }


@rule("A-1", "SET-6", "SET-8")
def test_splits_are_those_printed(meter_server: Program) -> None:
    records = [
        record for record in document(meter_server)["splits"] if record["game"] == "three-card"
    ]
    royal: printed.Cells = {}
    beside: printed.Cells = {}
    alone: printed.Cells = {}
    pools: dict[int, str] = {}
    for record in records:
        cell = record["royals"], record["straight_flushes"]
        if record["royal_each"]:
            royal[cell] = record["royal_each"]
            pools[cell[0]] = record["pool"]
        if record["straight_flush_each"]:
            (beside if cell[0] else alone)[cell] = record["straight_flush_each"]
    assert royal == printed.THREE_CARD_TABLE_6
    assert beside == printed.THREE_CARD_TABLE_7
    assert alone == printed.THREE_CARD_TABLE_8
    assert pools == printed.THREE_CARD_TABLE_5


def test_every_record_names_its_rule(meter_server: Program) -> None:
    found = document(meter_server)
    assert found.pop("rulebook") == VERSION
    assert list(found) == list(SECTIONS)
    games = found.pop("games")
    for name, records in found.items():
        assert records, name
        assert all(record["rule"] for record in records), name
    assert [game["game"] for game in games] == ["wsop", "ultimate", "three-card"]
    assert all(fact["rule"] and fact["says"] for game in games for fact in game["facts"])


@rule("AUT-11", "A-45")
def test_authority_and_irregularities_tell_game_rank_and_effect(meter_server: Program) -> None:
    found = document(meter_server)
    assert {
        "action": "invalidate-for-fraud",
        "game": "three-card",
        "rank": "TG Assistant Casino Manager",
        "rule": "Three Card 13.3",
    } in found["authority"]
    assert {
        "case": "wrong-cards",
        "title": "A betting area was dealt no cards or the wrong number",
        "game": "ultimate",
        "effect": "carry-all",
        "rank": "TG Area Manager",
        "rule": "WSOP 11.2",
    } in found["irregularities"]


@rule("A-2", "A-8", "A-31", "A-36")
def test_readings_tell_what_is_in_force_where_it_is_set_and_the_other_choice(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One by the environment, one by the secrets directory, two by nobody."""
    monkeypatch.setenv("METER_SERVER_SPLIT_BASIS", "printed")
    monkeypatch.setenv("METER_SERVER_SECRETS_DIRECTORY", str(tmp_path))
    (tmp_path / "METER_SERVER_PAYABLE_UNIT_DOLLARS").write_text("0.05")
    records = document(meter_server, "--section", "readings")["readings"]
    told = ("reading", "setting", "value", "set_in")
    assert [tuple(record[name] for name in told) for record in records] == [
        ("A-2", "METER_SERVER_SPLIT_BASIS", "printed", "the environment"),
        ("A-8", "METER_SERVER_PAYABLE_UNIT_DOLLARS", "0.05", "the secrets directory"),
        ("A-31", "METER_SERVER_SCOPE", "casino", None),
        ("A-36", "METER_SERVER_TERMS_NOTICE_HOURS", "24", None),
    ]
    assert [(record["in_force"], record["other_choice"]) for record in records] == [
        (
            "printed: shares are the three decimals of the printed tables",
            "formula: shares are exact, the printed percentage stands beside them",
        ),
        ("up to the next $0.05", "any whole number of cents up to $100.00"),
        (
            "casino: over all systems of the casino",
            "book: over the systems of each rule book alone",
        ),
        ("24 hours", "any other number from 1 to 8,760 hours"),
    ]
    assert records[3]["question"] == "How long is a reasonable period?"
    assert records[3]["rule"] == "WSOP 9.1.1(g); Three Card 6.1.1(g)"


@rule("A-31")
def test_the_other_choice_is_the_one_not_taken(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METER_SERVER_SCOPE", "book")
    monkeypatch.setenv("METER_SERVER_TERMS_NOTICE_HOURS", "1")
    *_, scope, period = document(meter_server, "--section", "readings")["readings"]
    assert scope["in_force"] == "book: over the systems of each rule book alone"
    assert scope["other_choice"] == "casino: over all systems of the casino"
    assert period["in_force"] == "1 hour"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("METER_SERVER_SCOPE", "METER_SERVER_SCOPE is 'shop': it should be 'casino' or 'book'."),
        (
            "METER_SERVER_SKOPE",
            "METER_SERVER_SKOPE is not a setting; did you mean METER_SERVER_SCOPE?",
        ),
    ],
)
def test_readings_that_a_server_would_not_start_with_are_refused(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    monkeypatch.setenv(name, "shop")
    typed = meter_server("rules")
    assert (typed.exit_code, typed.output) == (2, "")
    assert typed.error == f"meter-server: {sentence}\n"
    assert meter_server("rules", "--section", "seeds").exit_code == 0


def test_a_section_is_that_section_only(meter_server: Program) -> None:
    for name in SECTIONS:
        assert list(document(meter_server, "--section", name)) == ["rulebook", name]


# For people


@pytest.mark.parametrize("columns", ["80", "100", "120"])
def test_the_tables_fit_the_terminal_and_cut_nothing_off(
    meter_server: Program, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    typed = meter_server("rules")
    assert (typed.exit_code, typed.error) == (0, "")
    assert max(len(row) for row in typed.output.splitlines()) <= int(columns)
    assert "…" not in typed.output  # rich's sign of a cell that was cut off
    rows = [row.split() for row in typed.output.splitlines()]
    for expected in (
        "$75,000 23.50% 20.28%",
        "Option 2: WSOP Table 3; Three Card Table 2.",
        "four of a kind $500 bonus $600 bonus",
        "straight nothing $40 bonus",
        "prize pool j j + r j + 2r j + 3r",
        "S = 7 58.824% 37.037% 27.027% 21.277%",
        "S = 4 8.598%j + 1.403%r",
        "places 9 or fewer 9 or fewer 9 or fewer",
        "read meter TG Area Manager TG Area Manager",
        "WSOP 9.5.3 Three Card 6.5.3",
        "forfeit: the wager is lost and its contribution stays.",
        "A-8: METER_SERVER_PAYABLE_UNIT_DOLLARS, not set: the default.",
    ):
        assert expected.split() in rows


def test_only_one_game_of_a_document_is_named_where_only_one_has_a_case(
    meter_server: Program,
) -> None:
    output = meter_server("rules", "--section", "irregularities").output
    assert output.count("Ultimate Texas Holdem:") == 1
    assert "WSOP 11.4.2, 12.5.1" in output


def test_every_effect_is_explained() -> None:
    assert set(EFFECTS) == set(Effect)


def test_an_unknown_section_is_refused(meter_server: Program) -> None:
    typed = meter_server("rules", "--section", "odds")
    assert (typed.exit_code, typed.output) == (2, "")
    assert "'odds' is not one of 'seeds', 'payouts', 'splits'" in typed.error
    assert typed.error.endswith("Try 'meter-server rules --help'.\n")
