"""The walk-through of the README, typed exactly as it stands there."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.acceptance.house import House

README = Path(__file__).parents[2] / "README.md"
SECTION = "## A round, a royal flush and an audit"

pytestmark = pytest.mark.timeout(400)


def _blocks() -> tuple[str, list[str]]:
    """What is typed, and what is said to be seen."""
    text = README.read_text(encoding="utf-8").split(SECTION)[1].split("\n## ")[0]
    [typed] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return typed, re.findall(r"```text\n(.*?)```", text, re.DOTALL)


def test_the_walk_through_is_true(user_house: House) -> None:
    """Four wagers of $5 at 32.51 % on a seed of $100,000: m is $100,006.502, and j $100,007."""
    typed, seen = _blocks()
    with user_house.make("run", "RESET=1", "QUIET=1") as run:
        run.wait_until_running(120)
        user_house.write_row("first run")  # as it was before the reset, for whoever comes next
        told = subprocess.run(
            ["sh", "-eu", "-c", typed],
            cwd=user_house.clone,
            env={**user_house.environment(), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=200,
            user=user_house.person.uid,
            group=user_house.person.gid,
            extra_groups=[],
        )
    assert told.returncode == 0, told.stderr + told.stdout
    assert "main stood at $100,004.8765 after entry 3 (settlement)" in told.stdout
    assert "main stood at $100,006.502 after entry 5 (settlement)" in told.stdout
    lines = [line.strip() for line in told.stdout.splitlines()]
    for block in seen:
        for line in block.splitlines():
            if not re.search(r"\d{4}-\d{2}-\d{2}T", line):  # the time for settlement is another
                assert line.strip() in lines, line
