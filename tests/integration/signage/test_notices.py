"""What signs report starts, keeps and restarts the clocks of notices, by a clock that we turn."""

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from meter_server.access import screens as pairing
from meter_server.access.desk import Desk
from meter_server.contract.displays import Asking, Batch, Display, MeterSeen, Role
from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.notices import Change, ChangeTerms, RaiseMinimum, RemoveTable
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import DEFAULT_READINGS
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Gate, Limits
from meter_server.reading import shown
from meter_server.recording.door import Door, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage.floor import PostgresFloor
from meter_server.watching import displays, schedule
from meter_server.watching.gates import Gates
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.conftest import clock as clock
from tests.integration.access.conftest import desk as desk
from tests.integration.access.conftest import house as house
from tests.integration.access.conftest import server_url as server_url
from tests.integration.access.people import MANAGER, OFFICE, House

BOSS = Person(MANAGER, ASSISTANT_CASINO_MANAGER)
SECOND = Person("3001", ASSISTANT_CASINO_MANAGER)
REMOVED = RemoveTable("T")
TOKEN = "ab" * 32
REPORT_SECONDS = 20


class Floor:
    """Table T in system S, its sign paired through gateway gw, and notice N that T will leave."""

    def __init__(self, house: House, clock: StoppedClock, database_url: str) -> None:
        self.house, self.desk, self.clock = house, house.desk, clock
        self.gates = Gates(displays_confirmed=False)
        self.door = Door(
            PostgresFloor(self.desk.database), clock, failing=self.gates.failing_at_the_door
        )
        self.number = 0
        with psycopg.connect(database_url) as connection:
            connection.execute(
                "INSERT INTO device (id, kind, epoch, state, enrolled_at)"
                " VALUES ('gw', 'gateway', 1, 'enrolled', now())"
            )
        self.do(commands.DefineTable("T", GameKey.WSOP, 7, Limits(1_000, 50_000)))
        self.do(commands.OpenTable("T"))
        self.do(commands.OpenSystem("S", Terms(1, 10_000, 100), ("T",)))
        displays.take(self.desk, "gw", Batch(displays=[], asking=[_asking()]))
        pairing.pair(
            self.desk, OFFICE, house.account(MANAGER), "sign", "ABCDEF",
            Role(layout="sign", table="T"),
        )  # fmt: skip

    def ask(self, command: Command) -> dict[str, Any]:
        self.number += 1
        submission = Submission(
            key=staff_key(MANAGER, str(self.number)),
            digest=bytes(32),
            command=command,
            actor=BOSS,
            second=SECOND,
        )
        [answer] = self.door.step([submission])
        told: dict[str, Any] = json.loads(answer.body)
        return told

    def do(self, command: Command) -> None:
        told = self.ask(command)
        assert told["answer"] == "accepted", told

    def draft(self, change: Change = REMOVED) -> None:
        self.do(commands.DraftNotice("N", change))

    def sign_shows(self, *notices: str) -> None:
        meter = MeterSeen(meter="S", from_seq=1, to_seq=1, value_micros=1)
        shown = Display(screen="sign", age_ms=0, meters=[meter], notices=list(notices))
        said = displays.take(self.desk, "gw", Batch(displays=[shown], asking=[]))
        if said:
            self.door.step(said)

    def look(self) -> None:
        displays.looking(self.desk, self.gates, self.door.step)()

    def keeps_showing(self, seconds: int) -> None:
        """As a page does that is slow to report; the watch looks in between."""
        for _ in range(seconds // REPORT_SECONDS):
            self.clock.advance(seconds=REPORT_SECONDS)
            self.sign_shows("N")
            self.look()

    def act(self) -> str:
        told = self.ask(commands.ActOnNotice("N"))
        return str(told.get("kind", "done"))


def _asking() -> Asking:
    return Asking(code="ABCDEF", token=TOKEN)


@pytest.fixture
def floor(house: House, clock: StoppedClock, database_url: str) -> Floor:
    return Floor(house, clock, database_url)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(REMOVED, marks=pytest.mark.rule("SYS-7", "A-35")),
        pytest.param(RaiseMinimum("T", Limits(2_500, 50_000)), marks=pytest.mark.rule("SGN-5")),
    ],
)
def test_refused_at_19_59_and_allowed_at_20_00(floor: Floor, change: Change) -> None:
    floor.draft(change)
    assert floor.act() == "notice-not-displayed"
    floor.sign_shows("N")
    floor.keeps_showing(19 * 60 + 40)
    floor.clock.advance(seconds=19)
    assert floor.act() == "notice-too-early"
    floor.clock.advance(seconds=1)
    assert floor.act() == "done"
    assert floor.act() == "notice-ended"  # one notice, one action


@pytest.mark.rule("SYS-6", "SGN-4", "A-37")
def test_new_terms_are_announced_with_what_they_will_be(floor: Floor) -> None:
    """A higher cost is a higher minimum: a sign that did not name it would not announce it."""
    floor.draft(ChangeTerms({"S": Terms(2, 20_000, 500)}))
    read = shown.floor(
        floor.desk.database, DEFAULT_READINGS, lambda _: frozenset(), amounts_at_once=True
    )
    [notice] = read.tables[0].notices
    assert (notice.kind, notice.option, notice.cost_cents) == ("change-terms", 2, 500)
    assert (notice.minimum_cents, notice.due) == (None, None)


@pytest.mark.rule("A-35")
@pytest.mark.parametrize(("dark_seconds", "expected"), [(60, "done"), (61, "notice-too-early")])
@pytest.mark.parametrize("watched", [True, False])
def test_a_sign_dark_for_over_a_minute_starts_its_clock_again(
    floor: Floor, dark_seconds: int, expected: str, watched: bool
) -> None:
    """Also when nobody was there to see it go dark: the server or the gateway was away itself."""
    floor.draft()
    floor.sign_shows("N")
    floor.keeps_showing(600)
    for _ in range(dark_seconds):
        floor.clock.advance(seconds=1)
        if watched:
            floor.look()
    floor.sign_shows("N")
    floor.keeps_showing(600 - dark_seconds // 20 * 20)
    assert floor.act() == expected


def test_while_it_is_dark_nothing_is_done(floor: Floor) -> None:
    floor.draft()
    floor.sign_shows("N")
    floor.keeps_showing(25 * 60)
    floor.clock.advance(seconds=31)
    floor.look()
    assert floor.act() == "notice-not-displayed"


def test_the_word_of_an_area_manager_stands_for_a_sign_that_cannot_speak(floor: Floor) -> None:
    floor.draft()
    floor.sign_shows("N")
    floor.clock.advance(minutes=5)
    floor.look()
    floor.do(commands.ConfirmDisplay("N", "T", by_hand_reason="the sign's panel is broken"))
    for _ in range(20):
        floor.clock.advance(minutes=1)
        floor.look()
    assert floor.act() == "done"


@pytest.mark.rule("SGN-1", "SGN-3")
def test_a_table_whose_display_is_gone_for_30_seconds_takes_no_new_wagers(floor: Floor) -> None:
    register = commands.RegisterWagers("t/1/1", "T", frozenset({1}), 100)
    floor.gates.open(Gate.SETTLEMENT_TIMES)
    floor.gates.open(Gate.METER_READING)
    assert floor.ask(register)["kind"] == "display-not-operating"  # nobody has looked yet
    floor.sign_shows()
    floor.look()
    floor.do(register)
    floor.clock.advance(seconds=30)
    floor.look()
    assert floor.gates.failing_at("T") == frozenset()
    floor.clock.advance(seconds=1)
    floor.look()
    assert floor.gates.failing_at("T") == {Gate.DISPLAY}
    assert floor.gates.failing_at("U") == frozenset()  # another table's is not concerned
    floor.do(commands.RecordOutcome("t/1/1"))  # an open round is finished as usual
    again = commands.RegisterWagers("t/1/2", "T", frozenset({1}), 100)
    refused = floor.ask(again)
    assert (refused["answer"], "9.1.1(k)" in refused["rule"]) == ("refused", True)
    floor.sign_shows()
    floor.look()
    floor.do(again)


class TestScheduled:
    def test_it_is_done_once_when_the_notice_has_stood(
        self, floor: Floor, acting: Callable[[], list[str]]
    ) -> None:
        floor.sign_shows("N")
        floor.keeps_showing(20 * 60 - 20)
        floor.clock.advance(seconds=19)
        assert acting() == []
        floor.clock.advance(seconds=1)
        assert acting() == ["N"]
        assert floor.act() == "notice-ended"
        assert acting() == []

    def test_it_waits_for_an_open_game(self, floor: Floor, acting: Callable[[], list[str]]) -> None:
        for gate in (Gate.SETTLEMENT_TIMES, Gate.METER_READING):
            floor.gates.open(gate)
        floor.sign_shows("N")
        floor.look()
        floor.do(commands.RegisterWagers("t/1/1", "T", frozenset({1}), 100))
        floor.keeps_showing(20 * 60)
        assert acting() == ["N"]
        assert _answers(floor) == [("N", 1, "draining")]
        floor.do(commands.RecordOutcome("t/1/1"))
        assert acting() == ["N"]
        assert floor.act() == "notice-ended"

    def test_somebody_who_was_suspended_since_changes_nothing(
        self, floor: Floor, acting: Callable[[], list[str]], database_url: str
    ) -> None:
        floor.sign_shows("N")
        floor.keeps_showing(20 * 60)
        with psycopg.connect(database_url) as connection:
            connection.execute("UPDATE staff SET state = 'suspended' WHERE number = %s", [MANAGER])
        assert acting() == ["N"]
        [(_, _, answer)] = _answers(floor)
        assert "may not act on a table or a meter" in answer
        assert acting() == []  # not again before a minute is over
        assert floor.act() == "done"  # the notice itself still stands

    def test_a_withdrawn_notice_is_not_acted_on(
        self, floor: Floor, acting: Callable[[], list[str]]
    ) -> None:
        floor.sign_shows("N")
        floor.keeps_showing(20 * 60)
        floor.do(commands.WithdrawNotice("N"))
        assert acting() == []

    def test_a_notice_that_nobody_acted_on_lapses(
        self, floor: Floor, acting: Callable[[], list[str]]
    ) -> None:
        floor.sign_shows("N")
        floor.clock.advance(days=2)
        assert floor.act() == "notice-ended"
        assert acting() == []

    @pytest.fixture
    def acting(self, floor: Floor, database_url: str) -> Callable[[], list[str]]:
        """What the worker's task does, for the notice that the manager has scheduled."""
        floor.draft()
        with psycopg.connect(database_url) as connection:
            connection.execute(
                "INSERT INTO scheduled_change (notice_id, scheduled_by, scheduled_at)"
                " VALUES ('N', %s, now())",
                [MANAGER],
            )
        desk: Desk = floor.desk
        return lambda: schedule.act_on_due(desk, DEFAULT_READINGS, floor.door.step)


def _answers(floor: Floor) -> list[tuple[str, int, str]]:
    with floor.desk.database.connection() as connection:
        return connection.execute(
            "SELECT notice_id, attempts, last_answer FROM scheduled_change"
        ).fetchall()
