"""An agent's memory and its file stay small, however long it runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.counts import FULL, count
from tests.simulation import pages

MESSAGES = count(reduced=3_000, full=100_000)
MEGABYTE = 1024 * 1024


@pytest.mark.timeout(0 if FULL else 300)
def test_memory_is_small_and_flat(tmp_path: Path) -> None:
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
    if FULL:
        _write_page(held, on_disk)


def _write_page(held: list[int], on_disk: int) -> None:
    pages.write(
        "agent-memory",
        "The memory of a table's agent",
        [
            "Everything an agent has in memory, and an outbox through which messages, taps and",
            "receipts go.",
        ],
        [
            ("messages", MESSAGES),
            ("resident after a tenth of them", f"{held[0] / MEGABYTE:.1f} MB"),
            ("resident after half of them", f"{held[4] / MEGABYTE:.1f} MB"),
            ("resident after all of them", f"{held[-1] / MEGABYTE:.1f} MB"),
            ("the outbox on the disk then", f"{on_disk / MEGABYTE:.1f} MB"),
        ],
    )
