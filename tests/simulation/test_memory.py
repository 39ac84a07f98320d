"""An agent's memory and its file stay small, however long it runs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.counts import FULL, count

MESSAGES = count(reduced=3_000, full=100_000)
MEGABYTE = 1024 * 1024


@pytest.mark.timeout(0 if FULL else 300)
def test_memory_is_small_and_flat(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    command = [sys.executable, "-m", "tests.simulation.memory", str(tmp_path), str(MESSAGES)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    held = [int(line.split()[1]) for line in ended.stdout.splitlines()]
    assert len(held) == 10
    assert max(held) < 100 * MEGABYTE, f"{max(held) // MEGABYTE} MB"
    # Of the second half nothing stays: what is forgotten on the disk is not kept in memory.
    assert held[-1] - held[4] < 5 * MEGABYTE, held
    on_disk = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert on_disk < 40 * MEGABYTE
    record_property("an agent's memory: messages", MESSAGES)
    for when, bytes_held in (("a tenth", held[0]), ("half", held[4]), ("all", held[-1])):
        record_property(f"an agent's memory after {when} of them, MB", _megabytes(bytes_held))
    record_property("its outbox on the disk then, MB", _megabytes(on_disk))


def _megabytes(count: int) -> str:
    return f"{count / MEGABYTE:.1f}"
