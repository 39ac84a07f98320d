"""Proof of display: forgotten when the house no longer wants it, never before 90 days."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from meter_server.storage import screens
from meter_server.storage.errors import StorageError
from meter_server.watching import displays
from tests.integration.access.conftest import clock as clock
from tests.integration.access.conftest import desk as desk
from tests.integration.access.conftest import house as house
from tests.integration.access.conftest import server_url as server_url
from tests.integration.access.people import MANAGER, House

NOW = datetime.now(UTC)
KEPT = timedelta(days=100)


@pytest.fixture
def database(database_url: str, house: House) -> str:
    """A board whose meter and notice were on it 101, 99 and 1 days ago."""
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "INSERT INTO screen (id, token, layout, meters, paired_by, paired_at)"
            " VALUES ('board', decode(repeat('ab', 32), 'hex'), 'rotating', '{}', %s, now())",
            [house.account(MANAGER).number],
        )
        for days in (101, 99, 1):
            at = NOW - timedelta(days=days)
            connection.execute(
                "INSERT INTO display (screen_id, kind, subject, from_seq, to_seq, value_micros,"
                " from_at, to_at) VALUES ('board', 'meter', 'M', 1, 1, 1, %(at)s, %(at)s),"
                " ('board', 'notice', 'N', NULL, NULL, NULL, %(at)s, %(at)s)",
                {"at": at},
            )
    return database_url


def test_meters_are_forgotten_in_time_and_notices_never(house: House, database: str) -> None:
    assert displays.forget_old(house.desk.database, NOW, KEPT) == 1
    assert displays.forget_old(house.desk.database, NOW, KEPT) == 0
    with psycopg.connect(database) as connection:
        left = connection.execute("SELECT kind, from_at FROM display ORDER BY id").fetchall()
    ages = [(kind, (NOW - at).days) for kind, at in left]
    assert ages == [("notice", 101), ("meter", 99), ("notice", 99), ("meter", 1), ("notice", 1)]


@pytest.mark.usefixtures("database")
def test_the_server_cannot_forget_what_is_young(house: House) -> None:
    young = timedelta(days=89, hours=23)
    with (
        pytest.raises(StorageError, match="for 90 days at least"),
        house.desk.database.transaction() as connection,
    ):
        screens.forget_displays(connection, NOW - young, 10)
    with (
        pytest.raises(StorageError, match="permission denied"),
        house.desk.database.transaction() as connection,
    ):
        connection.execute("DELETE FROM display")


def test_many_are_forgotten_in_small_steps(
    house: House, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(displays, "_FORGOTTEN_AT_ONCE", 2)
    old = NOW - timedelta(days=200)
    with psycopg.connect(database) as connection:
        for _ in range(4):
            connection.execute(
                "INSERT INTO display (screen_id, kind, subject, from_seq, to_seq, value_micros,"
                " from_at, to_at) VALUES ('board', 'meter', 'M', 1, 1, 1, %s, %s)",
                [old, old],
            )
    assert displays.forget_old(house.desk.database, NOW, KEPT) == 5
