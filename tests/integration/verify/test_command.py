"""The verifier as an auditor types it: one file alone, and whatever else may be given to it."""

import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy.verify import jackpot_verify
from tests.integration.verify.exports import exported
from tests.integration.verify.lived import Lived


@pytest.fixture
def desk(lived: Lived, tmp_path: Path) -> Path:
    """A folder with the one file and what the auditor was given."""
    shutil.copy(jackpot_verify.__file__, tmp_path / "jackpot_verify.py")
    with psycopg.connect(lived.database_url) as connection:
        lines = exported(connection, lived.key.name)
    (tmp_path / "books.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "log").write_text(lived.checkpoints, encoding="utf-8")
    (tmp_path / "receipts").write_text(lived.receipts, encoding="utf-8")
    return tmp_path


def _verify(desk: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "jackpot_verify.py", *arguments]
    return subprocess.run(command, cwd=desk, capture_output=True, text=True, timeout=60)


def test_the_file_alone_finds_good_books_good(desk: Path) -> None:
    told = _verify(desk, "books.jsonl", "--checkpoints", "log", "--receipts", "receipts")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines()[-1].startswith("GOOD: ")
    assert "Not checked: No --key was given" in told.stdout


def test_a_bad_row_is_named_first(desk: Path) -> None:
    books = desk / "books.jsonl"
    lines = books.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if '"row":"entry","seq":2' in line)
    lines[number - 1] = lines[number - 1].replace("credit", "cRedit", 1)
    books.write_text("".join(lines))
    told = _verify(desk, "books.jsonl", "--receipts", "receipts")
    assert told.returncode == 1
    assert told.stdout.startswith(f"BAD the export line {number} (meter ")
    assert "seq 2)" in told.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "A file cannot be read"),
        (["empty"], "empty cannot be checked. It is empty."),
        (["log"], "It is no export of Prize Meter"),
        (["bytes"], "It is no export of Prize Meter"),
        (["books.jsonl", "--key", "nowhere"], "A key cannot be used (nowhere is no file)"),
        (["books.jsonl", "--key", "log"], "A key cannot be used (the file log holds something"),
        (["marked"], "A program changed it on its way (other line ends, or a mark before"),
        (["dated"], 'It says it was made at "today", which is no time.'),
        (["books.jsonl", "--checkpoints", "nowhere"], "A file cannot be read"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    desk: Path, arguments: list[str], sentence: str
) -> None:
    (desk / "empty").touch()
    (desk / "bytes").write_bytes(b"\xff\xfe{")
    (desk / "marked").write_bytes(b"\xef\xbb\xbf" + (desk / "books.jsonl").read_bytes())
    (desk / "dated").write_text('{"at":"today","export":2,"origin":null}\n')
    told = _verify(desk, *arguments)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("jackpot-verify: ")
    assert sentence in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_a_character_that_cannot_be_shown_keeps_nothing_from_being_told(desk: Path) -> None:
    books = desk / "books.jsonl"
    lines = books.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if '"row":"entry","seq":2' in line)
    lines[number - 1] = lines[number - 1].replace('"meter":"', '"meter":"\\ud800', 1)
    books.write_text("".join(lines))
    told = _verify(desk, "books.jsonl")
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout.startswith(f"BAD the export line {number} (meter \\ud800")


def test_another_key_and_a_file_that_was_cut_are_bad(desk: Path) -> None:
    other = "casino.example/prize-meter+4d26ceb7+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
    told = _verify(desk, "books.jsonl", "--key", other)
    assert told.returncode == 1
    assert "none of the keys given has signed this note" in told.stdout.splitlines()[0]
    data = (desk / "books.jsonl").read_bytes()
    (desk / "books.jsonl").write_bytes(data[: len(data) // 2])
    told = _verify(desk, "books.jsonl")
    assert told.returncode == 1
    assert "it was cut off" in told.stdout.splitlines()[0]
