"""Notices over HTTP: drafted by two, confirmed by hand, acted on in time, drained first."""

from pathlib import Path

from tests.integration.devices.floor import open_table, unique
from tests.integration.office import Office
from tests.integration.rulings.signs import act, confirm, draft, twenty_minutes_pass
from tests.integration.rulings.tables import MANAGER, Played, hand, number_of
from tests.rules import rule


@rule("SYS-7", "SGN-4", "A-35")
def test_a_table_moves_after_its_notice_and_its_game(office: Office, tmp_path: Path) -> None:
    here = Played.begin(office, tmp_path / "here")
    there = Played.begin(office, tmp_path / "there")
    manager, area_manager = office.of_role(MANAGER), office.of_role("area-manager")
    change = {"kind": "transfer-table", "table": here.table, "system": there.system}
    notice = draft(office, change)
    shown = manager.get(f"/v1/notices/{notice}").json()
    assert (shown["change"], shown["drafted_by"]) == (change, number_of(MANAGER))
    assert (shown["signs"][0]["shown_since"], shown["ready_at"]) == (None, None)
    early = act(manager, notice)
    assert (early.status, early.json()["kind"]) == (409, "notice-not-displayed")

    low = confirm(office.of_role("higher-duties"), notice, here.table)
    assert (low.status, low.json()["kind"]) == (403, "not-authorised")
    assert confirm(area_manager, notice, here.table).status == 200
    shown = manager.get(f"/v1/notices/{notice}").json()
    assert shown["ready_at"] > shown["signs"][0]["shown_since"]
    early = act(manager, notice)
    assert (early.status, early.json()["kind"]) == (409, "notice-too-early")

    twenty_minutes_pass(office, notice)
    round_id = here.register(1)
    draining = act(manager, notice)
    assert (draining.status, draining.json()["draining"]) == (200, True)
    [sign] = manager.get(f"/v1/notices/{notice}").json()["signs"]
    assert (sign["draining"], sign["game_open"]) == (True, True)
    assert manager.get(f"/v1/tables/{here.table}").json()["draining_for"] == notice
    here.record(round_id)
    refused = here.agent.do(
        "register-wagers",
        round=here.agent.next_round(),
        table=here.table,
        seats=[1],
        cost_cents=here.cost,
    ).answer
    assert refused["kind"] == "draining"
    done = act(manager, notice)
    assert (done.status, done.json()["draining"]) == (200, False)
    moved = manager.get(f"/v1/tables/{here.table}").json()
    assert (moved["system"], moved["draining_for"]) == (there.system, None)
    again = act(manager, notice)
    assert (again.status, again.json()["kind"]) == (409, "notice-ended")


@rule("SYS-8", "SYS-9", "A-34")
def test_a_system_closes_and_its_surplus_goes_where_the_notice_said(
    office: Office, tmp_path: Path
) -> None:
    closing, other = Played.begin(office, tmp_path / "a"), Played.begin(office, tmp_path / "b")
    manager = office.of_role(MANAGER)
    closing.record(closing.register(1, 2, 3))
    surplus = 3 * closing.cost * 3406
    shares = {other.system: 10_000}
    notice = draft(office, {"kind": "close-system", "system": closing.system, "shares_bp": shares})
    assert confirm(office.of_role("area-manager"), notice, closing.table).status == 200
    twenty_minutes_pass(office, notice)
    done = act(manager, notice)
    assert done.status == 200, done.text
    assert [(one["kind"], one["amount_micros"]) for one in done.json()["entries"]] == [
        ("transfer-out", -surplus),
        ("transfer-in", surplus),
        ("closing", -10_000 * closing.cost * 10_000),
    ]
    assert manager.get(f"/v1/systems/{closing.system}").json()["state"] == "closed"


@rule("SYS-9", "A-34")
def test_a_surplus_that_nobody_receives_is_told_to_the_proposer(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    manager = office.of_role(MANAGER)
    change = {"kind": "close-system", "system": played.system, "shares_bp": {}}
    played.record(played.register(1))
    refused = manager.post("/v1/notices", {"notice": unique("N"), "change": change})
    assert (refused.status, refused.json()["kind"]) == (409, "nowhere-to-transfer")
    assert "and the notice names no system to receive it." in refused.json()["detail"]
    low = office.of_role("area-manager").post(
        "/v1/notices", {"notice": unique("N"), "change": change}
    )
    assert (low.status, low.json()["kind"]) == (403, "not-authorised")


@rule("SYS-6", "SYS-9", "A-34")
def test_a_closure_that_is_refused_stops_no_table(office: Office, tmp_path: Path) -> None:
    """Nothing had been wagered when it was drafted; when it is due, a game is open."""
    played = Played.begin(office, tmp_path)
    change = {"kind": "close-system", "system": played.system, "shares_bp": {}}
    notice = draft(office, change)
    assert confirm(office.of_role("area-manager"), notice, played.table).status == 200
    twenty_minutes_pass(office, notice)
    round_id = played.register(1)
    refused = act(office.of_role(MANAGER), notice)
    assert (refused.status, refused.json()["kind"]) == (409, "nowhere-to-transfer")
    assert office.of_role(MANAGER).get(f"/v1/tables/{played.table}").json()["draining_for"] is None
    played.record(round_id)
    played.register(1)


def test_a_notice_is_withdrawn_and_terms_that_nobody_prints_are_refused(office: Office) -> None:
    manager, table = office.of_role(MANAGER), open_table(office)
    wrong = {"option": 1, "seed_dollars": 12_345, "cost_cents": 100}
    body = {
        "notice": unique("N"),
        "change": {"kind": "change-terms", "terms": {"none": wrong}},
    }
    refused = manager.post("/v1/notices", body)
    assert (refused.status, refused.json()["kind"]) == (422, "not-acceptable")
    body["change"] = {"kind": "remove-table", "table": table}
    nowhere = manager.confirmed_by(office.of_role("area-manager"), "/v1/notices", body)
    assert (nowhere.status, nowhere.json()["kind"]) == (409, "table-in-no-group")
    assert manager.get("/v1/notices/none").status == 404
    assert manager.command("/v1/notices/none/withdrawal").json()["kind"] == "unknown"


@rule("AUT-16", "A-17")
def test_a_table_closes_after_three_hands_and_gives_carried_wagers_back(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    supervisor, path = office.of_role("higher-duties"), f"/v1/tables/{played.table}"
    closing = {"players_present": True}
    assert supervisor.command(f"{path}/closing", closing).status == 200
    for left in (3, 2, 1):
        assert supervisor.get(path).json()["hands_left"] == left
        round_id = played.register(1, 2)
        if left == 1:
            # Seat 2 cannot bet on: its wager is carried, and the table closes before it is played.
            assert played.declare("subsequent-wager-short", 2)["answer"] == "accepted"
            assert supervisor.get(path).json()["carried"] == [2]
        last = played.record(round_id, hand(1, folded=True))
    assert [entry["kind"] for entry in last["entries"]] == ["settlement", "reversal"]
    shown = supervisor.get(path).json()
    assert (shown["state"], shown["hands_left"], shown["carried"]) == ("closed", None, [])


@rule("TRN-1", "A-47")
def test_a_table_set_apart_for_a_tournament_takes_no_wagers(office: Office, tmp_path: Path) -> None:
    played = Played.begin(office, tmp_path)
    supervisor, path = office.of_role("higher-duties"), f"/v1/tables/{played.table}"
    assert supervisor.command(f"{path}/tournament", {"on": True}).status == 200
    refused = played.agent.do(
        "register-wagers",
        round=played.agent.next_round(),
        table=played.table,
        seats=[1],
        cost_cents=played.cost,
    ).answer
    assert (refused["kind"], refused["rule"]) == (
        "tournament",
        "WSOP 13.2.5; Three Card 12.2.5",
    )
    assert supervisor.command(f"{path}/tournament", {"on": False}).status == 200
    played.register(1)
