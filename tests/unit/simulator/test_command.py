"""``table-agent simulate``: what cannot be played is refused before anything is set up."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.demo.simulate import simulate


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(simulate, arguments)


def test_without_make_run_it_says_what_to_start_and_makes_no_secrets(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        ended = _run("--data", str(folder))
        assert ended.exit_code == 1
        assert f"{folder} holds no log-ins that you may read" in ended.output
        assert "start 'make run QUIET=1' in another terminal" in ended.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--speed", "fast"), "'fast': say how many times a real floor's, 20x, or max."),
        (("--speed", "0x"), "'0x': say how many times"),
        (("--speed", "nan"), "'nan': say how many times"),
        (("--irregular", "101%"), "'101%': say a share of all rounds, such as 2%."),
        (("--cuts", "-1%"), "'-1%': say a share"),
        (("--tables", "251"), "251 is not in the range 1<=x<=250"),
        (("--rounds", "0"), "0 is not in the range x>=1"),
        (("--minutes", "0"), "0.0 is not in the range x>0"),
        (("--show", "four-aces"), "'four-aces' is not one of 'royal-flush'"),
    ],
)
def test_wrong_input(arguments: tuple[str, str], sentence: str) -> None:
    ended = _run(*arguments)
    assert ended.exit_code == 2
    assert sentence in ended.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        # The third round of the first of eight tables is the seventeenth of all.
        (("--rounds", "16"), "A show in round 3 of a table takes --rounds 17 or more at 8 tables."),
        (("--tables", "1"), "A show at 2 tables takes --tables 2."),
    ],
)
def test_a_show_that_no_table_would_come_to(arguments: tuple[str, str], sentence: str) -> None:
    ended = _run(*arguments, "--show", "two-tables")
    assert ended.exit_code == 2
    assert sentence in ended.output


def test_the_help_that_it_points_at_is_its_own() -> None:
    asked = [sys.executable, "-m", "table_agent", "simulate", "--rounds", "0"]
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.endswith("x>=1. Try 'table-agent simulate --help'.\n")


def test_a_show_for_which_the_evening_has_just_room(tmp_path: Path) -> None:
    """The other table of the show is the fourth of eight: its third round is the 20th of all."""
    asked = ("--data", str(tmp_path), "--show", "two-tables", "--rounds")
    assert "takes --rounds 20 or more" in _run(*asked, "19").output
    assert "holds no log-ins" in _run(*asked, "20").output


def test_only_with_a_server_on_this_machine(tmp_path: Path) -> None:
    for name in ("people", "consoles"):
        (tmp_path / f"{name}.password").write_text("123456")
    ended = _run("--data", str(tmp_path), "--server", "https://casino.example")
    assert ended.exit_code == 1
    assert "plays with a server on this machine" in ended.output


def test_a_server_that_does_not_answer(tmp_path: Path) -> None:
    for name in ("people", "consoles"):
        (tmp_path / f"{name}.password").write_text("123456")
    ended = _run("--data", str(tmp_path), "--server", "http://127.0.0.1:1")
    assert ended.exit_code == 1
    assert "http://127.0.0.1:1" in ended.output
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
