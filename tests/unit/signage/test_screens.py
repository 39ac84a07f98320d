"""What a gateway knows of its screens, and what it has to tell the server."""

import asyncio
from pathlib import Path

import pytest

from meter_server.contract.canonical import canonical_json
from meter_server.contract.displays import (
    PARTS_MAX,
    SCREENS_MAX,
    Batch,
    MeterSeen,
    Role,
    Roster,
    Screen,
    Seen,
)
from meter_server.http.api.bodies import BYTES_MAX
from signage.gateway.reporting import BATCHES_MAX, say_all
from signage.gateway.screens import REPORT_SECONDS_MAX, Screens, digest_of
from signage.gateway.sources import Unreached
from signage.gateway.views import View
from tests.unit.signage.test_hub import Clock
from tests.unit.signage.test_hub import Screen as Stream

SIGN = Role(layout="sign", table="T1")


def roster(**roles: Role) -> Roster:
    screens = [
        Screen(screen=token, token=digest_of(token), role=role) for token, role in roles.items()
    ]
    return Roster(version=digest_of(repr(screens)), screens=screens)


def seen(from_seq: int, to_seq: int, *notices: str) -> Seen:
    meter = MeterSeen(meter="M", from_seq=from_seq, to_seq=to_seq, value_micros=to_seq * 100)
    return Seen(meters=[meter], notices=list(notices))


def test_a_screen_shows_its_code_until_it_is_paired(tmp_path: Path) -> None:
    screens = Screens(tmp_path / "roster.json")
    stream = Stream()
    screens.add("one", stream)
    kind, told = stream.events[-1]
    assert (kind, told["screen"], told["code"]) == ("screen", None, screens.code("one"))
    assert [asking.code for asking in screens.batch().asking] == [told["code"]]
    screens.take(roster(one=SIGN))
    kind, told = stream.events[-1]
    assert (kind, told["screen"], told["code"]) == ("screen", "one", None)
    assert screens.view("one") == View(table="T1")
    assert screens.view("two") == View(table="")


def test_who_went_away_is_not_offered_for_pairing(tmp_path: Path) -> None:
    screens, stream = Screens(tmp_path / "roster.json"), Stream()
    screens.add("one", stream)
    screens.remove("one", stream)
    assert not screens.has_news
    assert screens.batch().asking == []


def test_only_those_whose_part_changed_are_told(tmp_path: Path) -> None:
    screens, one, two = Screens(tmp_path / "roster.json"), Stream(), Stream()
    screens.take(roster(one=SIGN, two=SIGN))
    screens.add("one", one)
    screens.add("two", two)
    screens.take(roster(one=SIGN, two=Role(layout="rotating")))
    assert (len(one.events), len(two.events)) == (1, 2)


def test_reports_of_one_screen_are_joined(tmp_path: Path) -> None:
    clock = Clock()
    screens = Screens(tmp_path / "roster.json", now=clock)
    screens.take(roster(one=SIGN))
    assert not screens.report("stranger", seen(1, 1))
    assert screens.report("one", seen(3, 5, "N1"))
    clock.seconds += 1
    assert screens.report("one", seen(6, 9))
    clock.seconds += 0.25
    [display] = screens.batch().displays
    [meter] = display.meters
    assert (meter.from_seq, meter.to_seq, meter.value_micros) == (3, 9, 900)
    assert (display.notices, display.age_ms) == ([], 250)
    assert screens.batch().displays == []


def test_what_the_server_did_not_hear_is_told_again_until_it_is_too_old(tmp_path: Path) -> None:
    clock = Clock()
    screens = Screens(tmp_path / "roster.json", now=clock)
    screens.take(roster(one=SIGN, two=SIGN))
    screens.report("one", seen(1, 2, "N1"))
    screens.report("two", seen(1, 1))
    lost = screens.batch()
    clock.seconds += 2
    screens.report("one", seen(3, 4, "N1"))
    screens.not_heard(lost)
    again = {display.screen: display for display in screens.batch().displays}
    assert (again["one"].meters[0].from_seq, again["one"].age_ms) == (1, 0)
    assert again["two"].age_ms == 2000
    screens.not_heard(lost)
    clock.seconds += REPORT_SECONDS_MAX
    assert screens.batch().displays == []


def test_what_does_not_fit_into_one_batch_is_in_the_next(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(SCREENS_MAX + 1)]
    screens = Screens(tmp_path / "roster.json", now=Clock())
    screens.take(roster(**dict.fromkeys(names, SIGN)))
    for name in names:
        screens.report(name, seen(1, 1))
    full, rest = screens.batch(), screens.batch()
    assert [display.screen for display in full.displays] == names[:SCREENS_MAX]
    assert [display.screen for display in rest.displays] == names[SCREENS_MAX:]
    assert len(full.model_dump_json()) < BYTES_MAX


def test_a_batch_is_filled_by_bytes_and_loses_nobody(tmp_path: Path) -> None:
    """Boards with as many meters as may be, under names as long as may be."""
    names = [f"{number:03}{'s' * 37}" for number in range(60)]
    board = [
        MeterSeen(meter=f"{n:02}{'m' * 38}", from_seq=2**52, to_seq=2**52, value_micros=2**52)
        for n in range(PARTS_MAX)
    ]
    notices = [f"{n:02}{'n' * 38}" for n in range(PARTS_MAX)]
    screens = Screens(tmp_path / "roster.json", now=Clock())
    screens.take(roster(**dict.fromkeys(names, Role(layout="rotating"))))
    for name in names:
        screens.report(name, Seen(meters=board, notices=notices))
    heard: list[str] = []
    while screens.has_reports:
        batch = screens.batch()
        assert len(canonical_json(batch.model_dump(mode="json"))) < BYTES_MAX
        assert batch.displays
        heard += [display.screen for display in batch.displays]
    assert heard == names


def test_five_thousand_screens_are_heard_in_one_go(tmp_path: Path) -> None:
    names = [f"sign-{number}" for number in range(5_000)]
    screens = Screens(tmp_path / "roster.json", now=Clock())
    screens.take(roster(**dict.fromkeys(names, SIGN)))
    for name in names:
        screens.report(name, seen(1, 9, "N-1"))
    told: list[Batch] = []

    def hear(batch: Batch) -> Roster:
        told.append(batch)
        return Roster(version=digest_of("as before"), screens=None)

    asyncio.run(say_all(screens, hear))
    assert [one.screen for batch in told for one in batch.displays] == names
    assert len(told) <= BATCHES_MAX
    assert screens.find("sign-4999") is not None  # a roster that did not change is not told again


def test_a_batch_that_is_not_heard_waits_and_those_behind_it_too(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(SCREENS_MAX + 1)]
    screens = Screens(tmp_path / "roster.json", now=Clock())
    screens.take(roster(**dict.fromkeys(names, SIGN)))
    for name in names:
        screens.report(name, seen(1, 1))

    def deaf(_batch: Batch) -> Roster:
        raise Unreached("The server is away.")

    with pytest.raises(Unreached):
        asyncio.run(say_all(screens, deaf))
    waiting = [screens.batch(), screens.batch()]
    assert {one.screen for batch in waiting for one in batch.displays} == set(names)


def test_the_roster_survives_a_restart(tmp_path: Path) -> None:
    Screens(tmp_path / "roster.json").take(roster(one=SIGN))
    again = Screens(tmp_path / "roster.json").find("one")
    assert again is not None
    assert again.role == SIGN
    (tmp_path / "roster.json").write_text("{")
    assert Screens(tmp_path / "roster.json").find("one") is None
