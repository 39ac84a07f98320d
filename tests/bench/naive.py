"""The naive route: the same server, but every request has a transaction of its own.

The same signature check, rows, decision and answer; the hot meter's row is locked from the first
statement to the commit. It stands here to be measured against, and nowhere else.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version

from meter_server import bootstrap
from meter_server.cli.serve import run, spare_what_is_loaded
from meter_server.http.app import create_app
from meter_server.http.front import Front
from meter_server.metrics.writing import counted, waiting
from meter_server.recording.door import Door
from meter_server.storage.database import Database
from meter_server.storage.floor import load_floor, store_floor
from meter_server.storage.rows import Loaded, Needs, Write
from meter_server.watching.writing import watched

_LOCK = """
SELECT id FROM meter WHERE id IN (SELECT meter_id FROM gaming_table WHERE id = ANY (%s))
ORDER BY id FOR UPDATE
"""


class NaiveFloor:
    """Lock, load, decide, store, commit."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        del locking  # always
        with self._database.transaction() as connection:
            connection.execute(_LOCK, (list(needs.tables),))
            return store_floor(connection, decide(load_floor(connection, needs)))


def application() -> Front:
    """As ``bootstrap`` makes it, with no writer in front of the door."""
    loaded = bootstrap.start()
    opened = bootstrap.database(loaded)
    opened.open()
    parts = bootstrap.web_parts(loaded, opened)
    door = Door(NaiveFloor(opened), parts.desk.clock, bootstrap.readings(loaded))
    step = counted(watched(door.step, parts.watch.gates, parts.watch.make_checkpoint))
    naive = replace(parts, submit=waiting(parts.feed.ringing(step)))
    parts.watch.start()
    parts.feed.start()
    flask = create_app(bootstrap.health_check(loaded), version(bootstrap.PACKAGE), naive)
    spare_what_is_loaded()
    return Front(flask, None)


if __name__ == "__main__":
    run("tests.bench.naive:application")
