"""``meter-server migrate`` on a real database: once, again, by several at once, and without one."""

from concurrent.futures import ThreadPoolExecutor

import psycopg

from meter_server.storage.migrate import known_migrations
from meter_server.storage.queries import queries
from tests.integration import programs
from tests.integration.programs import Environment, environment, run

ALL_APPLIED = "".join(f"Applied {migration.id}.\n" for migration in known_migrations())
NOTHING_APPLIED = "The schema is up to date.\n"


def test_a_fresh_database_gets_every_migration_and_a_second_run_changes_nothing(
    env: Environment,
) -> None:
    first, second = run(env, "migrate"), run(env, "migrate")

    assert (first.returncode, first.stdout) == (0, ALL_APPLIED)
    assert (second.returncode, second.stdout) == (0, NOTHING_APPLIED)


def test_of_several_runs_at_once_one_applies_and_the_others_wait(
    env: Environment, database_url: str
) -> None:
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda _: run(env, "migrate"), range(4)))

    assert [process.returncode for process in ended] == [0, 0, 0, 0]
    outputs = sorted(process.stdout for process in ended)
    assert outputs == [ALL_APPLIED] + [NOTHING_APPLIED] * 3
    with psycopg.connect(database_url) as connection:
        applied = connection.execute("SELECT id FROM schema_migration ORDER BY id").fetchall()
    assert applied == [(migration.id,) for migration in known_migrations()]


def test_a_failing_migration_leaves_nothing_behind(env: Environment, database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE heartbeat (in_the_way int)")

    ended = run(env, "migrate")

    assert ended.returncode == 1
    assert ended.stderr == (
        "meter-server: Migration 0001-heartbeat failed and left nothing behind "
        '(relation "heartbeat" already exists).\n'
    )
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT * FROM schema_migration").fetchall() == []


def test_a_migration_changed_after_its_release_is_refused(
    env: Environment, database_url: str
) -> None:
    run(env, "migrate")
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE schema_migration SET sha256 = 'of another text'")

    ended = run(env, "migrate")

    assert ended.returncode == 1
    assert "Migration 0001-heartbeat was changed after this database had it" in ended.stderr


def test_messages_of_the_release_before_wait_for_the_first_checkpoint_that_lists_messages(
    env: Environment, database_url: str
) -> None:
    before = [one for one in known_migrations() if one.id < "0082"]
    with psycopg.connect(database_url) as connection:
        queries.create_schema_migration(connection)
        for migration in before:
            connection.execute(migration.sql.encode())
            queries.mark_migration(connection, id=migration.id, sha256=migration.sha256)
        recorded = "INSERT INTO message (key, digest, at, answer) VALUES (%s, %s, now(), %s)"
        for key in ("t1-a/1/1", "staff/7"):
            connection.execute(recorded, (key, bytes(32), b"{}"))

    ended = run(env, "migrate")

    assert ended.returncode == 0, ended.stderr
    with psycopg.connect(database_url) as connection:
        waiting = connection.execute("SELECT key FROM uncovered_message ORDER BY key").fetchall()
    assert waiting == [("staff/7",), ("t1-a/1/1",)]


def test_without_a_database_it_waits_and_then_says_what_to_do(redis_url: str) -> None:
    port = programs.free_port()
    nowhere = f"postgresql://somebody:a-password@127.0.0.1:{port}/meter"

    ended = run(environment(nowhere, redis_url), "migrate", "--wait", "1")

    assert ended.returncode == 1
    assert ended.stderr.startswith(
        f"meter-server: The database 'meter' at 127.0.0.1:{port} did not let us in ("
    )
    assert ended.stderr.endswith("): start PostgreSQL or correct DATABASE_URL.\n")
    assert ended.stderr.count("\n") == 1
    assert "a-password" not in ended.stderr
