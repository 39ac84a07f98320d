"""A process dies where and when it is told to, leaves word of it, and otherwise never."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meter_server import failpoints
from meter_server.errors import SettingsError
from meter_server.failpoints import VARIABLE, Place

_PROGRAM = """
import sys, time
from meter_server import failpoints
from meter_server.failpoints import Place
failpoints.arm()
for _ in range(3):
    failpoints.reach(Place.SIGNED)
    failpoints.reach(Place.COMMITTED)
    failpoints.begin(Place.STORING)
    time.sleep(0.05)
    for part in failpoints.written(Place.REPLYING, "whole"):
        print(part, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
"""


def run(words: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if words is not None:
        environment[VARIABLE] = words
    command = [sys.executable, "-c", _PROGRAM]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("place", [Place.COMMITTED, Place.STORING, Place.REPLYING])
def test_an_armed_process_dies_at_its_place_the_nth_time(place: Place, tmp_path: Path) -> None:
    ended = run(f"{place}:2:{tmp_path / 'deaths'}")
    assert ended.returncode == -9
    assert ended.stderr == ("whole\nwh" if place is Place.REPLYING else "whole\n")
    assert (tmp_path / "deaths").read_text() == f"{place}\n"


def test_a_place_that_is_not_reached_kills_nobody(tmp_path: Path) -> None:
    ended = run(f"{Place.LOADING}:1:{tmp_path / 'deaths'}")
    assert (ended.returncode, ended.stderr) == (0, "whole\nwhole\nwhole\n")
    assert not (tmp_path / "deaths").exists()


def test_nothing_happens_unarmed() -> None:
    assert run(None).stderr == "whole\nwhole\nwhole\n"


@pytest.mark.parametrize("words", ["", "committed", "committed:one:/tmp/deaths", "lunch:1:/tmp/x"])
def test_what_is_not_meant_for_it_is_refused(words: str) -> None:
    with pytest.raises(SettingsError, match="unset it"):
        failpoints.arm({VARIABLE: words})
