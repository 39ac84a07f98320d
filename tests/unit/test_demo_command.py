"""``make run``: what goes wrong is one sentence that says what to do."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.demo.command import why_not_done, why_not_written
from deploy.demo.folder import DataFolder

CLONE = Path(__file__).parents[2]
WITHOUT_MAKE = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
"""Else a make that runs these tests would speak through the one they start."""
ANOTHER = "choose another data folder with XDG_DATA_HOME=/some/folder make run."


@pytest.fixture
def data_home() -> Iterator[Path]:
    """Where also the engines' user may walk, unlike the folders of pytest."""
    path = Path(tempfile.mkdtemp(prefix="prize-meter-tests-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


def test_a_full_disk(data_home: Path) -> None:
    """The first secret that is written meets a device that is always full."""
    data = data_home / "prize-meter"
    data.mkdir()
    (data / "prize_meter_server.new").symlink_to("/dev/full")
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DATABASE_URL", "REDIS_URL"} and not name.startswith("METER_SERVER_")
    }
    ended = subprocess.run(
        [sys.executable, "-m", "deploy.demo"],
        cwd=CLONE,
        env={**inherited, "XDG_DATA_HOME": str(data_home)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    sentence = f"Error: No space left on device: free some space, or {ANOTHER}\n"
    assert (ended.returncode, ended.stderr) == (1, sentence)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, f"No space left on device (/d): free some space, or {ANOTHER}"),
        (errno.EROFS, f"Read-only file system (/d): mount it for writing, or {ANOTHER}"),
        (errno.EACCES, f"Permission denied (/d): allow writing there, or {ANOTHER}"),
        (errno.ENOTDIR, f"Not a directory (/d): {ANOTHER}"),
    ],
)
def test_each_trouble_with_a_file_has_its_own_remedy(number: int, sentence: str) -> None:
    assert why_not_written(OSError(number, os.strerror(number), "/d")) == sentence


def test_a_complaint_of_postgresql_is_one_line_that_names_its_log(tmp_path: Path) -> None:
    with pytest.raises(psycopg.Error) as raised:
        psycopg.connect(host=str(tmp_path), dbname="nowhere")
    sentence = why_not_done(raised.value, DataFolder(tmp_path, None))
    assert "\n" not in sentence
    assert sentence.startswith("PostgreSQL did not do what was asked (connection ")
    assert f"read {tmp_path}/logs/postgres.log and try again" in sentence


@pytest.mark.parametrize("value", ["0", "yes", "11", "1 2"])
def test_a_reset_that_is_not_1_is_refused(value: str) -> None:
    """A dry run, so that nothing starts should it not be refused."""
    asked = subprocess.run(
        ["make", "--dry-run", "run", f"RESET={value}"],
        cwd=CLONE,
        env=WITHOUT_MAKE,
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 2
    assert asked.stdout == ""
    assert f"RESET is '{value}': write RESET=1 to erase the data of earlier runs" in asked.stderr


@pytest.mark.parametrize(("value", "resets"), [("1", True), ("", False)])
def test_a_reset_is_asked_for_by_1_alone(value: str, resets: bool) -> None:
    asked = subprocess.run(
        ["make", "--dry-run", "run", f"RESET={value}"],
        cwd=CLONE,
        env=WITHOUT_MAKE,
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 0
    assert ("--reset" in asked.stdout) is resets
