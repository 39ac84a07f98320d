"""Two at once over HTTP: each time one total order, and nothing half done.

Every race is run against what either order alone would have given; a third result is a fault.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from tests.counts import count
from tests.integration.office import Office
from tests.integration.rulings.signs import act, confirm, draft, twenty_minutes_pass
from tests.integration.rulings.tables import MANAGER, ROYAL, SHARED, Played, as_seen, file_of, hand
from tests.rules import rule

RACES = count(reduced=10, full=100)


def race(*doing: Callable[[], Any]) -> list[Any]:
    """All at once, as nearly as threads can."""
    ready = threading.Barrier(len(doing))

    def run(one: Callable[[], Any]) -> Any:
        ready.wait()
        return one()

    with ThreadPoolExecutor(len(doing)) as pool:
        return list(pool.map(run, doing))


def journals_hold(office: Office) -> None:
    """Every meter's entries follow each other without a gap, in value and in hash, to its row."""
    with psycopg.connect(office.database_url) as connection:
        broken = connection.execute(
            "SELECT meter_id, seq FROM (SELECT *,"
            " lag(seq, 1, 0::bigint) OVER meter AS seq_before,"
            " lag(after_micros, 1, 0::bigint) OVER meter AS value_before,"
            " lag(hash) OVER meter AS hash_before"
            " FROM entry WINDOW meter AS (PARTITION BY meter_id ORDER BY seq)) AS entry"
            " WHERE seq <> seq_before + 1 OR before_micros <> value_before"
            " OR (seq > 1 AND previous <> hash_before)"
        ).fetchall()
        apart = connection.execute(
            "SELECT meter.id FROM meter JOIN entry ON entry.meter_id = meter.id"
            " AND entry.seq = meter.seq"
            " WHERE (entry.after_micros, entry.hash) <> (meter.value_micros, meter.head)"
        ).fetchall()
    assert (broken, apart) == ([], [])


def _is_void_first(office: Office, voided_round: str, settled_round: str) -> bool:
    """Whether the void stands before the settlement on their meter."""
    with psycopg.connect(office.database_url) as connection:
        [(void, settlement)] = connection.execute(
            "SELECT (SELECT seq FROM entry WHERE round_id = %s AND kind = 'correction'),"
            " (SELECT seq FROM entry WHERE round_id = %s AND kind = 'settlement')",
            (voided_round, settled_round),
        ).fetchall()
    return bool(void < settlement)


def _rulings(office: Office, prize: str) -> list[str]:
    with psycopg.connect(office.database_url) as connection:
        found = connection.execute(
            "SELECT convert_from(body, 'UTF8')::jsonb -> 'detail' ->> 'what' FROM entry"
            " WHERE kind = 'ruling'"
            " AND convert_from(body, 'UTF8')::jsonb -> 'detail' ->> 'award' = %s ORDER BY seq",
            (prize,),
        ).fetchall()
    return [str(what) for (what,) in found]


def _told(answer: Any) -> str:
    return "done" if answer.status == 200 else str(answer.json()["kind"])


@rule("A-39", "AUT-2", "SET-4")
def test_of_two_managers_on_one_prize_exactly_one_determines_and_one_pays(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    managers = [office.of_role(MANAGER), office.colleague(MANAGER)]
    for _ in range(RACES):
        prize = played.straight_flush()
        seen = as_seen(managers[0], prize)
        path = f"/v1/prizes/{prize}"
        determined = race(*(partial(m.command, f"{path}/determination", seen) for m in managers))
        assert sorted(map(_told, determined)) == ["done", "prize-ended"]
        winner = managers[[one.status for one in determined].index(200)]
        number = winner.get("/v1/session").json()["account"]["number"]
        assert file_of(managers[0], prize)["prize"]["determined_by"] == number
        payment = {"method": "cheque", "reference": "1"}
        paid = race(*(partial(m.command, f"{path}/payment", payment) for m in managers))
        assert sorted(map(_told, paid)) == ["already-paid", "done"]
        assert _rulings(office, prize) == ["determined", "paid"]
    journals_hold(office)


@rule("A-54", "A-58")
def test_a_determination_against_a_withholding_and_against_a_void(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    manager, colleague = office.of_role(MANAGER), office.colleague(MANAGER)
    for _ in range(RACES):
        prize = played.straight_flush()
        seen, path = as_seen(manager, prize), f"/v1/prizes/{prize}"
        race(
            partial(manager.command, f"{path}/determination", seen),
            partial(colleague.command, f"{path}/withholding", {"reason": "a suspicion"}),
        )
        # Either order is allowed; whichever was last is what the prize is.
        story = _rulings(office, prize)
        assert sorted(story) == ["determined", "withheld"]
        assert file_of(manager, prize)["prize"]["state"] == story[-1]

        body = {"reason": "a ruling", "invalidated": None}
        round_id = prize.rpartition("/")[0]
        proposed = manager.post(f"/v1/rounds/{round_id}/voids", body).json()["id"]
        determined, voided = race(
            partial(manager.command, f"{path}/determination", seen),
            partial(colleague.post, f"/v1/proposals/{proposed}/confirmation"),
        )
        assert voided.status == 200, voided.text
        assert _told(determined) in ("done", "prize-ended")
        assert file_of(manager, prize)["prize"]["state"] == "voided"
    journals_hold(office)


@rule("SYS-7", "SET-4")
def test_an_outcome_against_the_transfer_of_its_table(office: Office, tmp_path: Path) -> None:
    here, there = (Played.begin(office, tmp_path / name) for name in ("here", "there"))
    manager = office.of_role(MANAGER)
    systems = [here.system, there.system]
    costs = {here.system: here.cost, there.system: there.cost}
    for turn in range(RACES):
        source, target = systems[turn % 2], systems[1 - turn % 2]
        here.cost = costs[source]
        change = {"kind": "transfer-table", "table": here.table, "system": target}
        notice = draft(office, change)
        assert confirm(office.of_role("area-manager"), notice, here.table).status == 200
        twenty_minutes_pass(office, notice)
        round_id = here.register(1)
        outcome, acted = race(partial(here.record, round_id), partial(act, manager, notice))
        assert acted.status == 200, acted.text
        assert {entry["meter"] for entry in outcome["entries"]} == {source}
        shown = manager.get(f"/v1/tables/{here.table}").json()
        if acted.json()["draining"]:
            # The change saw the open game: it waits, and the table takes nothing new.
            assert (shown["system"], shown["draining_for"]) == (source, notice)
            done = act(manager, notice)
            assert (done.status, done.json()["draining"]) == (200, False)
        else:
            assert (shown["system"], shown["draining_for"]) == (target, None)
    journals_hold(office)


@rule("AUT-16", "SYS-8", "A-34")
def test_an_outcome_against_the_closure_of_its_table_and_of_its_system(
    office: Office, tmp_path: Path
) -> None:
    other = Played.begin(office, tmp_path / "other")
    manager = office.of_role(MANAGER)
    played = Played.begin(office, tmp_path / "table")
    for _ in range(RACES):
        path = f"/v1/tables/{played.table}"
        round_id = played.register(1)
        outcome, closed = race(
            partial(played.record, round_id),
            partial(manager.command, f"{path}/closing", {"players_present": False}),
        )
        assert [entry["kind"] for entry in outcome["entries"]] == ["settlement"]
        state = manager.get(path).json()["state"]
        assert (_told(closed), state) in (("done", "closed"), ("game-open", "open"))
        assert manager.command(f"{path}/opening").status == 200
    for turn in range(RACES // 5):
        closing = Played.begin(office, tmp_path / f"system-{turn}")
        change = {
            "kind": "close-system",
            "system": closing.system,
            "shares_bp": {other.system: 10_000},
        }
        notice = draft(office, change)
        assert confirm(office.of_role("area-manager"), notice, closing.table).status == 200
        twenty_minutes_pass(office, notice)
        round_id = closing.register(1)
        outcome, acted = race(partial(closing.record, round_id), partial(act, manager, notice))
        assert [entry["kind"] for entry in outcome["entries"]] == ["settlement"]
        assert acted.status == 200, acted.text
        if acted.json()["draining"]:
            assert manager.get(f"/v1/systems/{closing.system}").json()["state"] == "open"
            assert act(manager, notice).json()["draining"] is False
        assert manager.get(f"/v1/systems/{closing.system}").json()["state"] == "closed"
    journals_hold(office)


@rule("SET-4", "A-58")
def test_an_outcome_with_a_royal_against_the_void_of_an_earlier_one(
    office: Office, tmp_path: Path
) -> None:
    """One meter: the royal is worth what the void had put back, or what it had not yet."""
    first, second = Played.group(office, tmp_path, ["wsop", "ultimate"])
    manager, colleague = office.of_role(MANAGER), office.colleague(MANAGER)
    for _ in range(RACES):
        prize = first.royal()
        voided_round = prize.rpartition("/")[0]
        before = file_of(manager, prize)["meter_before_micros"]
        reseed = 10_000 * first.cost * 10_000
        body = {"reason": "a ruling", "invalidated": None}
        proposed = manager.post(f"/v1/rounds/{voided_round}/voids", body).json()["id"]
        round_id = second.register(1)
        outcome, voided = race(
            partial(
                second.record, round_id, hand(1, cards=ROYAL["ultimate"]), shared=SHARED["ultimate"]
            ),
            partial(colleague.post, f"/v1/proposals/{proposed}/confirmation"),
        )
        assert voided.status == 200, voided.text
        [won] = outcome["prizes"]
        without = reseed + first.cost * 3406
        with_it = before + first.cost * 3406
        value = with_it if _is_void_first(office, voided_round, round_id) else without
        assert won["amount"] == -(-value // 1_000_000) * 1_000_000
        assert file_of(manager, prize)["prize"]["state"] == "voided"
        # Clear the meter for the next race: this royal is voided too.
        again = manager.confirmed_by(colleague, f"/v1/rounds/{round_id}/voids", body)
        assert again.status == 200, again.text
    journals_hold(office)
