"""The tour says truly which rooms are empty, and which named parts of a room are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

_ROW = re.compile(r"^\| `(?P<room>[\w/]+)` \|.*\| (?P<today>[^|]+) \|$", re.MULTILINE)

ROOMS = {
    row["room"]: row["today"]
    for row in _ROW.finditer((ROOT / "docs" / "tour.md").read_text(encoding="utf-8"))
}


def is_furnished(room: Path) -> bool:
    return any(path.name != "__init__.py" for path in room.rglob("*.py"))


def test_every_room_of_the_server_is_on_the_tour() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("*/*/__init__.py")}
    rooms = {folder for folder in folders if folder.startswith("meter_server/")}
    assert rooms - NO_ROOMS == {room for room in ROOMS if room.startswith("meter_server/")}


NO_ROOMS = {"meter_server/cli", "meter_server/health"}
"""Where real parts are joined; they are nobody's neighbour."""


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_planned_exactly_while_it_is_empty(room: str) -> None:
    is_planned = ROOMS[room] == "planned"
    assert is_planned != is_furnished(ROOT / room), f"correct the row of {room} in docs/tour.md"


def is_there(part: Path) -> bool:
    return part.with_suffix(".py").exists() or is_furnished(part)


def parts(today: str) -> tuple[set[str], set[str]]:
    """What a row says is there, and what it says is planned."""
    there, _, planned = today.partition("planned: ")
    return {*_PART.findall(there)}, {*_PART.findall(planned)}


_PART = re.compile(r"`(\w+)`")


@pytest.mark.parametrize("room", ROOMS)
def test_a_named_part_is_planned_exactly_while_it_is_not_there(room: str) -> None:
    there, planned = parts(ROOMS[room])
    found = {part for part in there | planned if is_there(ROOT / room / part)}
    assert found == there, f"correct the row of {room} in docs/tour.md"


def test_every_folder_of_tests_is_on_the_tour() -> None:
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert folders == set.union(*parts(ROOMS["tests"]))


def test_a_row_is_read_as_it_is_written() -> None:
    assert parts("`link`, `enrol`; planned: `outbox`") == ({"link", "enrol"}, {"outbox"})


def test_an_empty_room_is_told_from_a_furnished_one(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    assert not is_furnished(tmp_path)
    (tmp_path / "meter.py").touch()
    assert is_furnished(tmp_path)
