-- name: create_schema_migration()#
CREATE TABLE IF NOT EXISTS schema_migration (
    id text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- name: schema_is_tracked()$
SELECT to_regclass('schema_migration') IS NOT NULL;

-- name: applied_migrations()
SELECT id, sha256 FROM schema_migration ORDER BY id;

-- name: mark_migration(id, sha256)!
INSERT INTO schema_migration (id, sha256) VALUES (:id, :sha256);

-- name: wait_for_other_migrations(lock)^
SELECT pg_advisory_lock(:lock);
