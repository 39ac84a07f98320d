"""``schema.sql`` is what the migrations produce, so that reading it is reading the database."""

from pathlib import Path

import psycopg
import pytest
from psycopg import Connection

import meter_server.storage
from meter_server.storage.migrate import migrate

SCHEMA = Path(meter_server.storage.__file__).parent / "schema.sql"

# Everything of our own that a schema consists of, in the words of PostgreSQL's catalogue.
CATALOGUE = {
    "relations": "SELECT relname, relkind, relpersistence, relrowsecurity, reloptions::text "
    "FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    "columns": "SELECT attrelid::regclass::text, attnum, attname, format_type(atttypid, atttypmod),"
    " attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid) FROM pg_attribute "
    "JOIN pg_class ON attrelid = pg_class.oid LEFT JOIN pg_attrdef ON (adrelid, adnum) = "
    "(attrelid, attnum) WHERE relnamespace = 'public'::regnamespace AND attnum > 0",
    "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) "
    "FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
    "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT tgrelid::regclass::text, tgenabled, pg_get_triggerdef(oid) "
    "FROM pg_trigger WHERE NOT tgisinternal",
    "functions": "SELECT pg_get_functiondef(oid) FROM pg_proc "
    "WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')",
    "views": "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
    "types": "SELECT typname, typtype, enumlabel, enumsortorder FROM pg_type "
    "LEFT JOIN pg_enum ON enumtypid = pg_type.oid WHERE typnamespace = 'public'::regnamespace",
    "privileges": "SELECT relname, relacl::text FROM pg_class "
    "WHERE relnamespace = 'public'::regnamespace AND relacl IS NOT NULL",
}


def test_schema_file_equals_migrations(database_url: str) -> None:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        migrated = _catalogue(connection)
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        connection.execute(SCHEMA.read_bytes())
        from_file = _catalogue(connection)

    assert from_file == migrated
    assert ("heartbeat", "r", "p", False, None) in migrated["relations"]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("columns", "ALTER TABLE heartbeat ALTER beat_at DROP DEFAULT"),
        ("columns", "ALTER TABLE heartbeat ALTER beat_at TYPE timestamp"),
        ("constraints", "ALTER TABLE heartbeat ADD CHECK (worker <> 'nobody')"),
        ("indexes", "CREATE INDEX ON heartbeat (beat_at)"),
        (
            "functions",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
        ),
        (
            "triggers",
            """CREATE TRIGGER t BEFORE UPDATE ON heartbeat FOR EACH ROW
            EXECUTE FUNCTION suppress_redundant_updates_trigger()""",
        ),
    ],
)
def test_the_comparison_sees_a_difference(database_url: str, kind: str, change: str) -> None:
    migrate(database_url, wait_seconds=0)
    with psycopg.connect(database_url) as connection:
        before = _catalogue(connection)
        connection.execute(change.encode())
        assert _catalogue(connection)[kind] != before[kind]


def _catalogue(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    return {
        kind: sorted(connection.execute(question.encode()).fetchall(), key=repr)
        for kind, question in CATALOGUE.items()
    }
