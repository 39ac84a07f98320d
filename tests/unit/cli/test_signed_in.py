"""The commands that ask a server: one sentence when there is none, or nobody is signed in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (
            ["login", "4001", "--server", "http://meter.example"],
            2,
            (
                "'http://meter.example' would carry passwords in the open: use an https:// "
                "address, or http:// for a server on this machine."
            ),
        ),
        (
            ["login", "4001", "--server", "127.0.0.1:8470"],
            2,
            (
                "'127.0.0.1:8470' would carry passwords in the open: use an https:// address, or "
                "http:// for a server on this machine."
            ),
        ),
        (
            ["screen", "pair", "sign-t2", "CODE", "--table", "T2"],
            2,
            (
                "Invalid value for 'CODE': 'CODE' is no code of a screen: type the six letters "
                "and figures that it shows. Try 'meter-server screen pair --help'."
            ),
        ),
        (
            ["login", "4001", "--server", "http://127.0.0.1:1"],
            1,
            (
                "The server at http://127.0.0.1:1 does not answer ([Errno 111] Connection "
                "refused): start it with 'meter-server serve', or name another one with --server."
            ),
        ),
        (["whoami"], 2, "Nobody is signed in: use 'meter-server login NUMBER'."),
        (["whoami", "--as", "../x"], 2, "'../x' is not a staff number."),
        (
            ["system", "open", "main", "--option", "1", "--seed", "10000", "--cost", "1.001"],
            2,
            "'1.001' is not whole cents: write it like 5 or 2.50.",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path, arguments: list[str], code: int, sentence: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "meter_server", *arguments],
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
        input="a password\n",
        start_new_session=True,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == code
    assert ended.stderr.splitlines()[-1] == f"meter-server: {sentence}"
    assert "Traceback" not in ended.stderr
    assert not list(tmp_path.iterdir())
