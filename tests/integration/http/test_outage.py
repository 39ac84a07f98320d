"""Without the database nobody is told that something was done, and everybody when to ask again."""

from pathlib import Path

from tests.integration.conftest import Breakable
from tests.integration.office import BETS
from tests.integration.office import office as open_office


def test_without_the_database_the_answer_is_to_try_again(breakable: Breakable, log: Path) -> None:
    table = {"table": "T1", "game": "wsop", "seats": 9, **BETS}
    with open_office(breakable.env, log) as office:
        manager = office.of_role("assistant-casino-manager")
        breakable.postgres.stop()
        key = "while-it-is-down"
        refused = [
            manager.get("/v1/tables"),
            manager.post("/v1/tables", table, Idempotency_Key=key),
            office.nobody().post("/v1/session", {"number": "4001", "password": "whatever"}),
        ]
        breakable.postgres.start()
        again = manager.post("/v1/tables", table, Idempotency_Key=key)

    for answer in refused:
        assert answer.status == 503
        assert answer.headers.get_content_type() == "application/problem+json"
        assert answer.headers["Retry-After"] == "2"
        assert answer.json()["detail"] == ("The database is not available: try again in 2 seconds.")
    assert again.status == 200
