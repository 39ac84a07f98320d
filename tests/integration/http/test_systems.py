"""Systems: opened by two persons, refused by the rules by number, marked if for training."""

import threading
from itertools import count
from typing import Any

import psycopg
import pytest

from tests.integration.office import BETS, Answer, Client, Office

_numbers = count(1)


@pytest.fixture
def manager(office: Office) -> Client:
    return office.of_role("assistant-casino-manager")


@pytest.fixture
def second(office: Office) -> Client:
    return office.of_role("area-manager")


def _table(manager: Client, game: str = "wsop") -> str:
    name = f"T{next(_numbers)}"
    body = {"table": name, "game": game, "seats": 7, **BETS}
    assert manager.command("/v1/tables", body).status == 200
    return name


def _body(*tables: str, **more: Any) -> dict[str, Any]:
    number = next(_numbers)
    terms = {"option": 2, "seed_dollars": 30_000, "cost_cents": 100 + number}
    return {"system": f"s{number}", **terms, "tables": list(tables), **more}


def _opened(manager: Client, second: Client, body: dict[str, Any]) -> dict[str, Any]:
    confirmed = manager.confirmed_by(second, "/v1/systems", body)
    assert confirmed.status == 200, confirmed.text
    shown: dict[str, Any] = manager.get(f"/v1/systems/{body['system']}").json()
    return shown


@pytest.mark.rule("SYS-1", "SYS-2")
def test_a_group_may_mix_games_and_starts_at_seed_times_cost(
    manager: Client, second: Client
) -> None:
    tables = [_table(manager, game) for game in ("wsop", "ultimate", "three-card")]
    body = _body(*tables)
    shown = _opened(manager, second, body)
    assert shown["value_cents"] == 30_000 * body["cost_cents"]
    assert shown["rate_bp"] == 2790
    assert shown["tables"] == sorted(tables)
    assert manager.get(f"/v1/tables/{tables[0]}").json()["system"] == body["system"]


@pytest.mark.rule("SYS-3", "SYS-4", "SYS-5")
@pytest.mark.parametrize(
    ("change", "kind", "rule"),
    [
        ({"cost_cents": "same"}, "cost-taken", "WSOP 9.1.1(e); Three Card 6.1.1(e)"),
        ({"option": 1}, "terms-differ", "WSOP 9.1.1(f); Three Card 6.1.1(f)"),
        ({"seed_dollars": 10_000}, "terms-differ", "WSOP 9.1.1(f); Three Card 6.1.1(f)"),
        ({"tables": "same"}, "table-in-a-group", "WSOP 9.1.1(c)"),
        ({"system": "same"}, "already-exists", "house control"),
        ({"tables": ["nowhere"]}, "unknown", "house control"),
    ],
)
def test_the_rules_refuse_with_sentence_and_rule(
    manager: Client, second: Client, change: dict[str, Any], kind: str, rule: str
) -> None:
    first = _body(_table(manager))
    _opened(manager, second, first)
    taken = {field: first[field] if value == "same" else value for field, value in change.items()}
    refused = manager.confirmed_by(second, "/v1/systems", _body() | taken)
    problem = refused.json()
    assert (problem["kind"], problem["rule"]) == (kind, rule)
    assert refused.status == (404 if kind == "unknown" else 409)
    assert problem["remedy"] in problem["detail"]


@pytest.mark.rule("SYS-10")
def test_a_seed_that_is_not_printed_is_refused_at_once(manager: Client) -> None:
    refused = manager.post("/v1/systems", _body(seed_dollars=12_345))
    assert refused.status == 422
    assert "12,345 is not an initial seed of WSOP Table 3; Three Card Table 2" in refused.text


@pytest.mark.rule("A-5")
def test_an_older_meter_is_taken_over_with_its_reference(manager: Client, second: Client) -> None:
    body = _body(value_cents=9_999_999_99, reference="closing report of the old meter")
    assert _opened(manager, second, body)["value_cents"] == 9_999_999_99
    alone = manager.post("/v1/systems", _body(value_cents=9_999_999_99))
    assert (alone.status, "reference" in alone.json()["detail"]) == (422, True)
    low = manager.confirmed_by(second, "/v1/systems", _body(value_cents=1, reference="too low"))
    assert (low.status, low.json()["kind"]) == (422, "opening-below-seed")


def test_training_is_separate_and_marked_everywhere(manager: Client, second: Client) -> None:
    table = _table(manager)
    real = _body(_table(manager))
    _opened(manager, second, real)
    body = _body(table, training=True, cost_cents=real["cost_cents"], option=1)
    assert _opened(manager, second, body)["training"] is True  # neither cost nor option collides
    assert manager.get(f"/v1/tables/{table}").json()["training"] is True
    listed = {one["system"]: one["training"] for one in manager.get("/v1/systems").json()["items"]}
    assert (listed[body["system"]], listed[real["system"]]) == (True, False)


def test_a_top_up_takes_two_and_moves_the_meter(manager: Client, second: Client) -> None:
    body = _body()
    before = _opened(manager, second, body)["value_cents"]
    path = f"/v1/systems/{body['system']}/top-ups"
    wanted = {"amount_cents": 12_345, "reason": "anniversary"}
    assert manager.confirmed_by(second, path, wanted).status == 200
    after = manager.get(f"/v1/systems/{body['system']}").json()
    assert (after["value_cents"], after["seq"]) == (before + 12_345, 2)


def test_nobody_is_their_own_second_person(manager: Client) -> None:
    own = manager.confirmed_by(manager, "/v1/systems", _body())
    assert (own.status, own.json()["kind"]) == (403, "second-person-needed")


def test_of_two_who_confirm_at_once_one_does(
    office: Office, manager: Client, second: Client
) -> None:
    for _ in range(5):
        body = _body()
        proposal = manager.post("/v1/systems", body).json()["id"]
        answers: list[Answer] = []

        def confirm(
            person: Client, proposal: str = proposal, answers: list[Answer] = answers
        ) -> None:
            answers.append(person.post(f"/v1/proposals/{proposal}/confirmation"))

        both = [second, office.colleague("area-manager")]
        threads = [threading.Thread(target=confirm, args=(person,)) for person in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert manager.get(f"/v1/systems/{body['system']}").json()["seq"] == 1


def test_what_is_rejected_is_not_done(manager: Client, second: Client) -> None:
    body = _body()
    proposal = manager.post("/v1/systems", body).json()["id"]
    rejected = second.post(f"/v1/proposals/{proposal}/rejection", {"reason": "not this month"})
    assert (rejected.json()["state"], rejected.json()["reason"]) == ("rejected", "not this month")
    late = second.post(f"/v1/proposals/{proposal}/confirmation")
    assert (late.status, late.json()["kind"]) == (409, "proposal-ended")
    assert manager.get(f"/v1/systems/{body['system']}").status == 404


def test_a_table_shows_its_limits_and_refuses_those_that_cannot_be(manager: Client) -> None:
    body = {"table": "T-limits", "game": "wsop", "seats": 7, **BETS}
    assert manager.command("/v1/tables", body | {"minimum_cents": 0}).status == 422
    assert manager.command("/v1/tables", body | {"maximum_cents": -1}).status == 422
    upside_down = manager.command("/v1/tables", body | {"minimum_cents": 50_001})
    assert (upside_down.status, upside_down.json()["kind"]) == (422, "wrong-limits")
    assert upside_down.json()["detail"] == (
        "Bets from $500.01 to $500.00 cannot be placed at any table. "
        "[WSOP 6.1; Three Card 8.1] "
        "Name a minimum above nought and a maximum that is no lower."
    )
    assert manager.command("/v1/tables", body).status == 200
    shown = manager.get("/v1/tables/T-limits").json()
    assert (shown["minimum_cents"], shown["maximum_cents"]) == (1_000, 50_000)


def test_a_table_of_before_limits_were_kept_still_plays(office: Office, manager: Client) -> None:
    with psycopg.connect(office.database_url) as connection:
        connection.execute(
            "INSERT INTO gaming_table (id, version, body) VALUES ('T-old', 1,"
            """ '{"id": "T-old", "game_key": "wsop", "seats": 7, "state": "closed"}')"""
        )
    assert manager.command("/v1/tables/T-old/opening").status == 200
    shown = manager.get("/v1/tables/T-old").json()
    assert (shown["state"], shown["minimum_cents"], shown["maximum_cents"]) == ("open", None, None)
