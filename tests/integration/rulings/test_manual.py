"""Working on paper: declared, keyed in by two persons, ended; the gap shows and is reconciled."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.integration.office import COLLEAGUES, Client, Office
from tests.integration.rulings.tables import MANAGER, Played, hand, number_of
from tests.integration.terminal import Terminal
from tests.rules import rule

PAPER_AT = "2026-03-02T08:30:00.000000Z"


def _key_in_wagers(
    office: Office, played: Played, line: str, *seats: int, second: Client | None = None
) -> Any:
    body = {
        "line": line,
        "seats": list(seats),
        "cost_cents": played.cost,
        "paper": f"sheet 12, line {line}",
        "at": PAPER_AT,
    }
    return office.of_role("higher-duties").confirmed_by(
        second or office.colleague("higher-duties"), f"/v1/tables/{played.table}/paper", body
    )


def _key_in_outcome(office: Office, round_id: str, *hands: Any, shared: str = "") -> Any:
    body = {
        "hands": list(hands),
        "shared_cards": shared,
        "case": None,
        "paper": "sheet 12",
        "at": PAPER_AT,
    }
    return office.of_role("higher-duties").confirmed_by(
        office.of_role("area-manager"), f"/v1/rounds/{round_id}/paper", body
    )


def _irregularity(round_id: str, case: str, *seats: int, **more: Any) -> dict[str, Any]:
    usual = {"joining": [], "reason": "as written", "paper": "sheet 12, line 2", "at": PAPER_AT}
    return {"round": round_id, "case": case, "seats": list(seats), **usual, **more}


def _key_in_irregularity(
    office: Office, played: Played, body: Any, second: Client | None = None
) -> Any:
    """Two TG Higher Duties Dealers, where nobody else is named."""
    return office.of_role("higher-duties").confirmed_by(
        second or office.colleague("higher-duties"),
        f"/v1/tables/{played.table}/paper/irregularities",
        body,
    )


def _on_paper(office: Office, path: Path, game: str = "wsop") -> Played:
    played = Played.begin(office, path, game)
    declared = f"/v1/tables/{played.table}/manual"
    area_manager = office.of_role("area-manager")
    assert area_manager.command(declared, {"reason": "the link is down"}).status == 200
    return played


def _gap(office: Office, table: str) -> Any:
    return office.of_role("audit").get(f"/v1/manual?table={table}").json()["items"][-1]


@rule("A-57", "AUT-18", "WAG-2")
def test_a_gap_from_its_declaration_to_its_end(office: Office, tmp_path: Path) -> None:
    played = Played.begin(office, tmp_path)
    area_manager = office.of_role("area-manager")
    early = _key_in_wagers(office, played, "1", 1)
    assert (early.status, early.json()["kind"]) == (409, "manual-not-declared")

    path = f"/v1/tables/{played.table}/manual"
    assert area_manager.command(path, {"reason": "the link is down"}).status == 200
    on_line = played.agent.do(
        "register-wagers",
        round=played.agent.next_round(),
        table=played.table,
        seats=[1],
        cost_cents=played.cost,
    ).answer
    assert on_line["kind"] == "manual-on-paper"

    assert _key_in_wagers(office, played, "2", 1, 2, 5).status == 200
    first, second = f"paper/{played.table}/2", f"paper/{played.table}/3"
    assert _key_in_outcome(office, first, hand(1, name="flush")).status == 200
    assert _key_in_wagers(office, played, "3", 1, 2).status == 200
    gap = _gap(office, played.table)
    assert (gap["ended_at"], gap["without_outcome"], gap["reconciled"]) == (None, [second], False)

    won = _key_in_outcome(office, second, hand(2, cards="As Ks"), shared="Ts Js Qs")
    assert won.status == 200, won.text
    ended = area_manager.command(f"{path}/end", {"paper_rounds": 2, "paper_wagers": 5})
    assert ended.status == 200, ended.text
    gap = _gap(office, played.table)
    assert (gap["declared_by"], gap["ended_by"], gap["reason"]) == (
        number_of("area-manager"),
        number_of("area-manager"),
        "the link is down",
    )
    assert (gap["keyed_rounds"], gap["keyed_wagers"], gap["without_outcome"]) == (2, 5, [])
    assert gap["keyed_staked_cents"] == 5 * played.cost
    assert gap["reconciled"] is True
    assert [(one["round"], one["paper"], one["wagers"]) for one in gap["rounds"]] == [
        (first, "sheet 12, line 2", 3),
        (second, "sheet 12, line 3", 2),
    ]
    assert {one["paper_at"] for one in gap["rounds"]} == {PAPER_AT}
    played.register(1)


@rule("A-57")
def test_what_is_refunded_or_keyed_in_after_the_end_is_reconciled(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    path = f"/v1/tables/{played.table}/manual"
    area_manager = office.of_role("area-manager")
    assert area_manager.command(path, {"reason": "the link is down"}).status == 200
    first, second = f"paper/{played.table}/2", f"paper/{played.table}/3"
    assert _key_in_wagers(office, played, "2", 1, 2, 3).status == 200
    by_one_person = played.declare("not-acknowledged")
    assert (by_one_person["answer"], by_one_person["kind"]) == ("refused", "manual-on-paper")
    refunded = _key_in_irregularity(office, played, _irregularity(first, "not-acknowledged"))
    assert refunded.status == 200, refunded.text
    assert _key_in_wagers(office, played, "3", 1, 2).status == 200
    body = {"paper_rounds": 2, "paper_wagers": 5}
    assert area_manager.command(f"{path}/end", body).status == 200
    gap = _gap(office, played.table)
    assert (gap["without_outcome"], gap["reconciled"]) == ([second], False)

    assert _key_in_outcome(office, second, hand(1, name="flush")).status == 200
    gap = _gap(office, played.table)
    assert (gap["without_outcome"], gap["reconciled"]) == ([], True)
    assert [(one["round"], one["state"]) for one in gap["rounds"]] == [
        (first, "refunded"),
        (second, "settled"),
    ]


@rule("A-57")
def test_paper_that_says_more_than_the_record_is_not_reconciled(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    path = f"/v1/tables/{played.table}/manual"
    manager = office.of_role(MANAGER)
    assert manager.command(path, {"reason": "the power is off"}).status == 200
    body = {"paper_rounds": 1, "paper_wagers": 4}
    assert manager.post(f"{path}/end", body, Idempotency_Key=f"e{played.table}").status == 200
    again = manager.post(f"{path}/end", body, Idempotency_Key=f"e{played.table}")
    assert again.status == 200
    gap = _gap(office, played.table)
    assert (gap["paper_rounds"], gap["keyed_rounds"], gap["reconciled"]) == (1, 0, False)


@rule("A-57")
def test_paper_takes_two_persons(office: Office, tmp_path: Path) -> None:
    played = Played.begin(office, tmp_path)
    area_manager, keying = office.of_role("area-manager"), office.of_role("higher-duties")
    path = f"/v1/tables/{played.table}/manual"
    assert area_manager.command(path, {"reason": "the link is down"}).status == 200
    alone = _key_in_wagers(office, played, "1", 1, second=keying)
    assert (alone.status, alone.json()["kind"]) == (403, "second-person-needed")
    low = _key_in_wagers(office, played, "2", 1, second=office.of_role("dealer"))
    assert (low.status, low.json()["rule"]) == (403, "inferred, A-57")
    with psycopg.connect(office.database_url) as connection:
        kept = connection.execute(
            "SELECT count(*) FROM entry WHERE table_id = %s", (played.table,)
        ).fetchone()
    assert kept == (0,)


@rule("A-57", "IRR-3")
def test_irregularities_on_paper_are_reconciled(office: Office, tmp_path: Path) -> None:
    """A wager that was overlooked joins, the game is misdealt and carried, and then all leave."""
    played = _on_paper(office, tmp_path)
    first = f"paper/{played.table}/2"
    assert _key_in_wagers(office, played, "2", 1, 2).status == 200
    joining = _irregularity(first, "wager-not-registered", joining=[4])
    assert _key_in_irregularity(office, played, joining).status == 200
    misdealt = _irregularity(first, "misdeal", paper="sheet 12, line 3")
    carried = _key_in_irregularity(office, played, misdealt, office.of_role("area-manager"))
    assert carried.status == 200, carried.text
    left = _irregularity(first, "misdeal-player-leaves", 1, 2, 4)
    assert _key_in_irregularity(office, played, left).status == 200

    body = {"paper_rounds": 1, "paper_wagers": 3}
    ended = office.of_role("area-manager").command(f"/v1/tables/{played.table}/manual/end", body)
    assert ended.status == 200
    gap = _gap(office, played.table)
    # Two wagers and the one that joined, at the cost of the system.
    assert (gap["keyed_rounds"], gap["keyed_wagers"], gap["reconciled"]) == (1, 3, True)
    assert gap["keyed_staked_cents"] == 3 * played.cost
    [kept] = gap["rounds"]
    assert (kept["state"], kept["outcome_paper"]) == ("cancelled", None)
    keying, colleague = number_of("higher-duties"), COLLEAGUES["higher-duties"]
    assert [
        (one["case"], one["paper"], one["paper_at"], one["keyed_by"])
        for one in kept["irregularities"]
    ] == [
        ("wager-not-registered", "sheet 12, line 2", PAPER_AT, [keying, colleague]),
        ("misdeal", "sheet 12, line 3", PAPER_AT, [keying, number_of("area-manager")]),
        ("misdeal-player-leaves", "sheet 12, line 2", PAPER_AT, [keying, colleague]),
    ]


@rule("A-57")
def test_an_irregularity_on_paper_takes_two_persons_a_reference_and_a_time_gone_by(
    office: Office, tmp_path: Path
) -> None:
    played = _on_paper(office, tmp_path)
    first = f"paper/{played.table}/2"
    assert _key_in_wagers(office, played, "2", 1, 2).status == 200
    body = _irregularity(first, "begun-by-mistake")
    keying = office.of_role("higher-duties")

    alone = _key_in_irregularity(office, played, body, second=keying)
    assert (alone.status, alone.json()["kind"]) == (403, "second-person-needed")
    low = _key_in_irregularity(office, played, body, second=office.of_role("dealer"))
    assert (low.status, low.json()["rule"]) == (403, "inferred, A-57")
    path = f"/v1/tables/{played.table}/paper/irregularities"
    assert office.of_role("dealer").post(path, body).status == 403
    for lacking in ({"paper": ""}, {"paper": None}, {"at": None}, {"round": None}):
        assert keying.post(path, {**body, **lacking}).status == 422, lacking
    del body["paper"]
    assert keying.post(path, body).status == 422

    to_come = _irregularity(first, "begun-by-mistake", at="2999-01-01T00:00:00.000000Z")
    early = _key_in_irregularity(office, played, to_come)
    assert (early.status, early.json()["kind"]) == (409, "manual-on-paper")
    assert early.json()["detail"].startswith("The time that stands on the paper is yet to come.")
    [kept] = _gap(office, played.table)["rounds"]
    assert (kept["state"], kept["irregularities"]) == ("registered", [])


@rule("A-57", "A-45", "AUT-4", "AUT-11")
@pytest.mark.parametrize(
    ("game", "case", "too_low", "enough"),
    [
        ("wsop", "wrong-cards", "higher-duties", "area-manager"),
        ("ultimate", "misdeal", "higher-duties", "area-manager"),
        ("three-card", "wrong-cards", None, "higher-duties"),
        ("wsop", "invalidated-fraud", None, "higher-duties"),
        ("three-card", "invalidated-fraud", "area-manager", MANAGER),
        ("ultimate", "jackpot-cards-wrong", MANAGER, None),
    ],
)
def test_one_of_the_two_has_the_rank_of_the_case_in_that_game(
    office: Office, tmp_path: Path, game: str, case: str, too_low: str | None, enough: str | None
) -> None:
    played = _on_paper(office, tmp_path, game)
    assert _key_in_wagers(office, played, "2", 1, 2).status == 200
    body = _irregularity(f"paper/{played.table}/2", case)
    if too_low is not None:
        low = _key_in_irregularity(office, played, body, office.colleague(too_low))
        told = "case-not-provided" if enough is None else "not-authorised"
        assert low.json()["kind"] == told, low.text
    if enough is not None:
        done = _key_in_irregularity(office, played, body, office.colleague(enough))
        assert done.status == 200, done.text


@rule("A-57")
def test_a_late_confirmation_is_of_its_own_round(office: Office, tmp_path: Path) -> None:
    """Proposed of one round, confirmed when that one has ended and the next is keyed in."""
    played = _on_paper(office, tmp_path)
    first = f"paper/{played.table}/2"
    assert _key_in_wagers(office, played, "2", 1, 2).status == 200
    path = f"/v1/tables/{played.table}/paper/irregularities"
    proposed = office.of_role("higher-duties").post(path, _irregularity(first, "begun-by-mistake"))
    assert proposed.status == 202, proposed.text
    assert _key_in_outcome(office, first).status == 200
    assert _key_in_wagers(office, played, "3", 1).status == 200
    late = office.colleague("higher-duties").post(
        f"/v1/proposals/{proposed.json()['id']}/confirmation"
    )
    assert (late.status, late.json()["kind"]) == (409, "round-ended")
    states = [one["state"] for one in _gap(office, played.table)["rounds"]]
    assert states == ["settled", "registered"]


@rule("A-57")
def test_an_irregularity_on_paper_by_command_line(office: Office, tmp_path: Path) -> None:
    played = _on_paper(office, tmp_path)
    first = f"paper/{played.table}/2"
    assert _key_in_wagers(office, played, "2", 1, 2, 3).status == 200
    terminal = Terminal.signed_in(office, tmp_path)
    words = ["manual", "key-in-irregularity", played.table, "--round", first, "--reason", "seen"]
    paper = ["--paper", "sheet 12", "--at", "2026-03-02T19:30:00+11:00"]
    case = ["--case", "wager-void", "--seat", "1", "--seat", "3"]
    proposed = terminal.type(*words, *paper, *case)
    proposal = proposed.split()[2].removesuffix(".")
    terminal.type("proposal", "confirm", proposal, "--as", COLLEAGUES[MANAGER])
    [one] = _gap(office, played.table)["rounds"][0]["irregularities"]
    assert (one["case"], one["paper"], one["paper_at"]) == ("wager-void", "sheet 12", PAPER_AT)
    assert "irregularities: 1" in " ".join(terminal.type("manual", "list").split())
