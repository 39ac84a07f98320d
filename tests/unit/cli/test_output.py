"""Tables for people: nothing is cut off, and nothing empty takes the room of the rest."""

import pytest

from meter_server.cli.output import print_table

SHARE = "$10,002.30 (1/10 of j + 1/20 of r, Three Card Tables 4 and 5, as printed)"


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")


def test_a_column_in_which_nothing_stands_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Prizes", ("Prize", "Hand", "Remarks"), [("t4-a/1/3/4", "straight flush", "")])
    printed = capsys.readouterr().out
    assert ["Prize", "Hand"] in [line.split() for line in printed.splitlines()]
    assert "Remarks" not in printed


def test_an_empty_list_has_all_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Prizes", ("Prize", "Hand", "Remarks"), [])
    printed = capsys.readouterr().out
    assert ["Prize", "Hand", "Remarks"] in [line.split() for line in printed.splitlines()]


def test_a_sentence_beside_amounts_is_folded_at_its_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [("Amount", "$10,002.30"), ("Each straight flush", SHARE)]
    print_table("Prize t4-a/1/3/4", ("", ""), rows)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    told = " ".join(" ".join(line.split()) for line in lines)
    assert f"Each straight flush {SHARE}" in told
    assert "─" not in told  # No heading, no line under it.


def test_a_table_too_wide_for_a_plain_terminal_runs_over_the_edge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # As if it were a terminal, and one without colours.
    monkeypatch.setenv("TERM", "dumb")
    amounts = [f"${place}00,022.757" for place in range(1, 9)]
    print_table("Meters", ("Meter", *amounts), [("main", *amounts)])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["main", *amounts] in lines
