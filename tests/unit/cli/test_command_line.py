"""The command lines: quick to help, one sentence when they cannot."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from meter_server.cli import COMMANDS, meter_server, output

SLOW = ("celery", "flask", "granian", "psycopg", "pydantic", "redis", "rich", "structlog")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_there_and_explains_itself(name: str) -> None:
    command = meter_server.get_command(click.Context(meter_server), name)
    assert command is not None
    assert command.help
    assert COMMANDS[name].summary.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_no_two_words_of_a_command_are_one(name: str) -> None:
    """Or click would let `--as` overwrite the person whom the command is about."""
    command = meter_server.get_command(click.Context(meter_server), name)
    assert command is not None
    for one in _with_all_under(command):
        names = [parameter.name for parameter in one.params]
        assert len(set(names)) == len(names), one.name


def _with_all_under(command: click.Command) -> list[click.Command]:
    under = command.commands.values() if isinstance(command, click.Group) else ()
    return [command, *(found for one in under for found in _with_all_under(one))]


def test_help_imports_nothing_slow() -> None:
    program = (
        "import sys; from meter_server.cli import meter_server\n"
        "meter_server.main(['--help'], standalone_mode=False)\n"
        f"print([name for name in {SLOW} if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.stdout.splitlines()[-1] == "[]"
    assert "migrate" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mend"], "No such command 'mend'. Try 'meter-server --help'."),
        (["serve", "--fast"], "No such option '--fast'. Try 'meter-server serve --help'."),
        (
            ["migrate", "--wait", "-1"],
            (
                "Invalid value for '--wait': -1 is not in the range x>=0. "
                "Try 'meter-server migrate --help'."
            ),
        ),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: list[str], sentence: str) -> None:
    ended = _run("meter_server", *arguments)
    assert (ended.returncode, ended.stderr) == (2, f"meter-server: {sentence}\n")


def test_a_wrong_setting_is_one_sentence_and_no_traceback() -> None:
    ended = _run("meter_server", "status", METER_SERVER_PORT="0")
    assert ended.returncode == 2
    assert "METER_SERVER_PORT is '0': it should be greater than or equal to 1." in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "--json"], ["odds"], ["--help"]])
def test_output_that_finds_no_room_is_one_sentence_and_no_traceback(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "meter_server", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    sentence = (
        "meter-server: The output cannot be written (No space left on device): "
        "send it to another place.\n"
    )
    assert (ended.returncode, ended.stderr) == (1, sentence)


def test_a_file_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.group(invoke_without_command=True)
    def keeper() -> None:
        (tmp_path / "missing" / "note").write_text("kept")

    monkeypatch.setattr(sys, "argv", ["keeper"])
    assert output.run(keeper, "keeper") == 1
    assert capsys.readouterr().err == (
        f"keeper: Cannot use {tmp_path}/missing/note (No such file or directory): "
        "name another place.\n"
    )


@pytest.mark.parametrize("package", ["meter_server", "table_agent", "signage"])
def test_every_program_helps_and_tells_its_version(package: str) -> None:
    shown, version = _run(package, "--help"), _run(package, "--version")
    assert (shown.returncode, version.returncode) == (0, 0)
    assert shown.stdout.startswith("Usage: ")
    assert "0.1.0" in version.stdout


def _run(package: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", package, *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True)
