"""Screens are paired by their code, report what they show, and their word is kept and counted."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from meter_server.clock import SteadyClock
from meter_server.domain.commands import DraftNotice
from meter_server.domain.notices import RemoveTable
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from meter_server.recording.door import Door, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from tests.integration.devices.floor import open_system, open_table, unique
from tests.integration.office import Office
from tests.integration.programs import wait_until
from tests.integration.signage.browsers import Browser, next_of, paired
from tests.integration.signage.gateways import Gateway, enrolled, running


@pytest.fixture
def gateway(office: Office, engines: tuple[Postgres, Redis], tmp_path: Path) -> Iterator[Gateway]:
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    with running(folder, engines[1].url) as started:
        yield started


def test_a_screen_is_paired_by_its_code_and_becomes_the_sign_of_a_table(
    office: Office, gateway: Gateway
) -> None:
    table = open_table(office)
    system, _ = open_system(office, [table])
    browser = Browser.opened(gateway)
    assert browser.report({"meters": [], "notices": []}) == 403  # nobody knows it yet
    name = paired(office, browser, layout="sign", table=table)
    with browser.looking() as events:
        told = next_of(events, "screen")
        assert told == {
            "screen": name,
            "code": None,
            "role": {"layout": "sign", "table": table, "meters": []},
        }
        shown = next_of(events, "floor")
        assert shown["table"]["table"] == table
        assert [meter["meter"] for meter in shown["meters"]] == [system]


def test_what_a_screen_reports_is_listed_and_kept(office: Office, gateway: Gateway) -> None:
    table = open_table(office)
    system, _ = open_system(office, [table])
    browser = Browser.opened(gateway)
    name = paired(office, browser, layout="sign", table=table)
    manager = office.of_role("area-manager")
    browser.shows(system, 1)
    wait_until(lambda: manager.get(f"/v1/screens/{name}").json()["seen_at"] is not None, 10)
    seen = manager.get(f"/v1/screens/{name}").json()
    assert (seen["shows_meters"], seen["shows_notices"]) == ({system: 1}, [])
    browser.shows(system, 1)
    browser.shows(system, 3)

    def kept() -> list[Any]:
        found: list[Any] = manager.get(f"/v1/displays?screen={name}").json()["items"]
        return found

    wait_until(lambda: kept()[-1]["to_seq"] == 3, 10)
    [stretch] = kept()
    assert (stretch["from_seq"], stretch["to_seq"], stretch["subject"]) == (1, 3, system)
    assert stretch["from_at"] < stretch["to_at"]


@pytest.mark.parametrize(
    "body", ["", "{}", "no", '{"meters": [], "notices": [], "more": 1}', '{"meters": 1e400}']
)
def test_a_report_that_is_none_is_refused(gateway: Gateway, body: str) -> None:
    assert Browser.opened(gateway).report(body) == 422


def test_a_failed_screen_is_replaced_in_one_step(office: Office, gateway: Gateway) -> None:
    table = open_table(office)
    open_system(office, [table])
    old, new = Browser.opened(gateway), Browser.opened(gateway)
    name = paired(office, old, layout="sign", table=table)
    manager = office.of_role("area-manager")
    with old.looking() as events, new.looking() as others:
        assert next_of(events, "screen")["screen"] == name
        code = next_of(others, "screen")["code"]
        path = f"/v1/screens/{name}/replacement"
        wait_until(lambda: manager.post(path, {"code": code}).status == 200, 10)
        assert next_of(others, "screen")["role"]["table"] == table
        assert next_of(events, "screen")["screen"] is None
    assert old.report({"meters": [], "notices": []}) == 403


def test_pairing_takes_a_manager_a_true_code_and_a_free_name(
    office: Office, gateway: Gateway
) -> None:
    browser = Browser.opened(gateway)
    name = paired(office, browser, layout="rotating")
    asked = {"screen": unique("s"), "code": "ABCDEF", "layout": "rotating", "meters": []}
    manager = office.of_role("area-manager")
    assert office.of_role("dealer").post("/v1/screens", asked).status == 403
    wrong = manager.post("/v1/screens", asked)
    assert (wrong.status, wrong.json()["detail"]) == (
        404,
        "No screen shows the code ABCDEF now. [house control] Read it from the screen again.",
    )
    with Browser.opened(gateway).looking() as events:
        code = next_of(events, "screen")["code"]
        taken = {**asked, "code": code, "screen": name}
        wait_until(lambda: manager.post("/v1/screens", taken).status == 409, 10)
        nowhere = {**asked, "code": code, "layout": "sign", "table": "no-table"}
        assert manager.post("/v1/screens", nowhere).status == 404
        bare = manager.post("/v1/screens", {**asked, "code": code, "layout": "sign"})
        assert (bare.status, bare.json()["detail"]) == (
            422,
            "The body: a sign names its table and nothing else; a board names no table.",
        )
        # A refusal does not use up the code.
        assert manager.post("/v1/screens", {**asked, "code": code}).status == 201


@pytest.mark.rule("SGN-4", "SYS-7")
def test_a_sign_that_shows_a_notice_starts_its_clock(office: Office, gateway: Gateway) -> None:
    table = open_table(office)
    system, _ = open_system(office, [table])
    notice = unique("N")
    _draft(office, notice, table)
    browser = Browser.opened(gateway)
    paired(office, browser, layout="sign", table=table)
    with browser.looking() as events:
        announced = next_of(events, "floor")["table"]["notices"]
        others = ("to", "due", "minimum_cents", "maximum_cents", "option", "cost_cents")
        removed = {"notice": notice, "kind": "remove-table", **dict.fromkeys(others)}
        assert announced == [removed]
        browser.shows(system, 1, notice)
        shown = next(
            event.said["table"]["notices"][0]
            for event in events
            if event.kind == "floor" and event.said["table"]["notices"][0]["due"]
        )
    displayed = office.of_role("audit").get(f"/v1/displays?kind=notice&subject={notice}").json()
    [stretch] = displayed["items"]
    assert stretch["table"] == table
    assert _minutes(stretch["from_at"], shown["due"]) == pytest.approx(20, abs=0.1)


def _minutes(since: str, until: str) -> float:
    return (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds() / 60


def _draft(office: Office, notice: str, table: str) -> None:
    """By two persons, at the door."""
    database = Database(office.database_url, connections_min=1, connections_max=1, wait_seconds=10)
    database.open()
    try:
        submission = Submission(
            key=staff_key("4001", notice),
            digest=bytes(32),
            command=DraftNotice(notice, RemoveTable(table)),
            actor=Person("4001", ASSISTANT_CASINO_MANAGER),
            second=Person("4001b", ASSISTANT_CASINO_MANAGER),
        )
        [answer] = Door(PostgresFloor(database), SteadyClock()).step([submission])
    finally:
        database.close()
    assert json.loads(answer.body)["answer"] == "accepted"
