"""What each log-in of the database cannot do, tried as that log-in.

The whole suite of access runs as the server's log-in, which proves that it can do what it must.
"""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict

from deploy.demo.postgres import AUDITOR, SERVER, Postgres
from deploy.demo.redis import Redis
from meter_server.storage.errors import StorageError
from meter_server.storage.migrate import migrate
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import House
from tests.integration.programs import Environment, run

KEPT_FOR_EVER = ("entry", "message", "audit_trail", "request", "checkpoint")
WRITES = {"UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"}

# What the server may do besides reading. Nothing may be deleted but what has a short life.
SERVER_MAY = {
    "schema_migration": set(),
    "role": set(),
    "entry": {"INSERT"},
    "message": {"INSERT"},
    "audit_trail": {"INSERT"},
    "console_sign_on": {"INSERT"},
    "request": {"INSERT"},
    "checkpoint": {"INSERT"},
    "violation": {"INSERT"},
    "winner": {"INSERT"},
    "floor": {"UPDATE"},
    "session": {"INSERT", "UPDATE", "DELETE"},
    "invitation": {"INSERT", "UPDATE", "DELETE"},
    "failed_attempt": {"INSERT", "UPDATE", "DELETE"},
    "enrolment": {"INSERT", "UPDATE", "DELETE"},
    "uncovered_message": {"INSERT", "DELETE"},
    **{
        table: {"INSERT", "UPDATE"}
        for table in (
            *("heartbeat", "meter", "gaming_table", "round", "award", "notice", "device_number"),
            *("staff", "authority_grant", "proposal", "device", "device_key"),
            *("device_heartbeat", "check_mark", "manual_arrangement"),
        )
    },
}


@pytest.fixture
def owner(database_url: str) -> Iterator[Connection]:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def server(owner: Connection, engines: tuple[Postgres, Redis]) -> Iterator[Connection]:
    url = engines[0].url(SERVER, owner.info.dbname)
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def auditor(owner: Connection, engines: tuple[Postgres, Redis]) -> Iterator[Connection]:
    url = engines[0].url(AUDITOR, owner.info.dbname)
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def _refused(connection: Connection, statement: str) -> None:
    reason = r"permission denied|must be owner"
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=reason):
        connection.execute(statement.encode())


def _privileges(owner: Connection, role: str) -> dict[str, set[str]]:
    """By relation: everything that the role or everybody was given."""
    rows = owner.execute(
        "SELECT relname, privilege_type FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) "
        "WHERE relnamespace = 'public'::regnamespace AND grantee IN (0, %s::regrole)",
        (role,),
    ).fetchall()
    found: dict[str, set[str]] = {}
    for relation, privilege in rows:
        found.setdefault(relation, set()).add(privilege)
    return found


def test_the_server_may_do_this_and_nothing_else(owner: Connection) -> None:
    given = _privileges(owner, "prize_meter_app")
    expected = {table: {"SELECT", *more} for table, more in SERVER_MAY.items()}
    assert {table: given.get(table) for table in expected} == expected


def test_no_table_was_forgotten(owner: Connection) -> None:
    """A later migration's table must be given its place among the roles too."""
    tables = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    given = _privileges(owner, "prize_meter_app")
    assert {table for (table,) in tables} <= given.keys()
    for table in KEPT_FOR_EVER:
        assert not given[table] & WRITES


@pytest.mark.parametrize("table", KEPT_FOR_EVER)
def test_the_server_cannot_rewrite_what_was_written(server: Connection, table: str) -> None:
    _refused(server, f"DELETE FROM {table}")  # noqa: S608
    _refused(server, f"TRUNCATE {table}")
    _refused(server, f"SELECT * FROM {table} FOR UPDATE")  # noqa: S608
    _refused(server, f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    _refused(server, f"DROP TABLE {table}")


def test_the_server_cannot_rewrite_the_journal_or_invent_ranks(server: Connection) -> None:
    _refused(server, "UPDATE entry SET amount_micros = 0")
    _refused(server, "UPDATE message SET answer = ''")
    _refused(server, "UPDATE audit_trail SET allowed = true")
    _refused(server, "INSERT INTO role VALUES ('king', 'King', 99)")
    _refused(server, "DELETE FROM staff")
    _refused(server, "CREATE TABLE mine (x int)")
    _refused(server, "CREATE ROLE another")
    _refused(server, "SET ROLE prize_meter")
    _refused(server, "UPDATE schema_migration SET sha256 = ''")


def test_the_trail_cannot_be_rewritten_by_its_owner_either(house: House, owner: Connection) -> None:
    assert house.trail()
    for statement in (
        "UPDATE audit_trail SET person = NULL",
        "DELETE FROM audit_trail",
        "TRUNCATE audit_trail",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="stays as it is"):
            owner.execute(statement.encode())


def test_an_auditor_reads_views_and_nothing_else(
    house: House, owner: Connection, auditor: Connection
) -> None:
    given = _privileges(owner, "prize_meter_audit")
    views = owner.execute("SELECT viewname FROM pg_views WHERE schemaname = 'public'").fetchall()
    assert given == {view: {"SELECT"} for (view,) in views}
    for view in given:
        auditor.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(view)))

    trail = auditor.execute("SELECT count(*) FROM trail_for_audit").fetchone()
    assert trail == (len(house.trail()),)
    for table in SERVER_MAY:
        _refused(auditor, f"SELECT * FROM {table}")  # noqa: S608


def test_an_auditor_sees_no_secret(house: House, auditor: Connection) -> None:
    house.hire("1007", "dealer")
    seen = str(auditor.execute("SELECT * FROM staff_for_audit").fetchall())
    assert "1007" in seen
    assert "argon2" not in seen


def test_an_auditor_changes_nothing(auditor: Connection) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        auditor.execute("CREATE TEMP TABLE mine (x int)")
    auditor.execute("SET default_transaction_read_only = off")
    _refused(auditor, "DELETE FROM trail_for_audit")
    _refused(auditor, "INSERT INTO staff_for_audit (number, name) VALUES ('1', 'x')")
    _refused(auditor, "SET ROLE prize_meter_app")


def test_the_clock_of_the_trail_is_the_desks(house: House, clock: StoppedClock) -> None:
    assert {line.at.timestamp() for line in house.trail()} == {clock.at_us / 1_000_000}


def test_the_owner_migrates_and_the_server_cannot(
    engines: tuple[Postgres, Redis], env: Environment, database_url: str
) -> None:
    name = conninfo_to_dict(database_url)["dbname"]
    as_server = {**env, "DATABASE_URL": engines[0].url(SERVER, str(name))}

    alone = run(as_server, "migrate")
    with_owner = run({**as_server, "DATABASE_OWNER_URL": database_url}, "migrate")

    assert alone.returncode == 1
    assert alone.stderr == (
        f"meter-server: The database user {SERVER} may not change the schema: "
        "set DATABASE_OWNER_URL to log in as the database's owner.\n"
    )
    assert (with_owner.returncode, with_owner.stderr) == (0, "")
    shown = run({**as_server, "DATABASE_OWNER_URL": database_url}, "settings").stdout
    assert "DATABASE_OWNER_URL" in shown
    assert database_url not in shown


@pytest.fixture
def no_roles(engines: tuple[Postgres, Redis]) -> Iterator[Connection]:
    """A cluster that has never seen this product; the tests of one process take turns with it."""
    roles = ("prize_meter_app", "prize_meter_audit")
    with engines[0].connect() as connection:
        for role in roles:
            connection.execute(f"ALTER ROLE {role} RENAME TO {role}_away".encode())
        try:
            yield connection
        finally:
            for role in roles:
                connection.execute(f"DROP ROLE IF EXISTS {role}".encode())
                connection.execute(f"ALTER ROLE {role}_away RENAME TO {role}".encode())


def test_a_migrating_user_who_may_not_create_the_roles_is_told_what_to_do(
    no_roles: Connection, database_url: str
) -> None:
    del no_roles
    with pytest.raises(StorageError) as refused:
        migrate(database_url, wait_seconds=0)
    assert str(refused.value) == (
        "Migration 0003-access failed and left nothing behind (prize_meter may not create the role "
        'prize_meter_app: let an administrator of PostgreSQL run "CREATE ROLE prize_meter_app; '
        'CREATE ROLE prize_meter_audit", then try again).'
    )


def test_a_migrating_user_who_may_create_roles_creates_them(
    no_roles: Connection, database_url: str
) -> None:
    no_roles.execute("ALTER ROLE prize_meter CREATEROLE")
    try:
        migrate(database_url, wait_seconds=0)
        made = no_roles.execute(
            "SELECT rolname, rolcanlogin, rolsuper FROM pg_roles WHERE rolname IN "
            "('prize_meter_app', 'prize_meter_audit') ORDER BY rolname"
        ).fetchall()
    finally:
        no_roles.execute("ALTER ROLE prize_meter NOCREATEROLE")
        _drop_grants(database_url)
    assert made == [("prize_meter_app", False, False), ("prize_meter_audit", False, False)]


def _drop_grants(database_url: str) -> None:
    """A role that still has privileges anywhere cannot be dropped."""
    with psycopg.connect(database_url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
