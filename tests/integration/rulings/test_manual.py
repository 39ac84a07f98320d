"""Working on paper: declared, keyed in by two persons, ended; the gap shows and is reconciled."""

from pathlib import Path
from typing import Any

import psycopg

from tests.integration.office import Client, Office
from tests.integration.rulings.tables import MANAGER, Played, hand, number_of
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
    assert played.declare("not-acknowledged")["answer"] == "accepted"
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
