-- The whole schema as the migrations leave it, to be read. A test compares the two.

-- Which migrations this database has had.
CREATE TABLE schema_migration (
    id text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The sign of life of the task workers: one row for each, with the database's own time.
CREATE TABLE heartbeat (
    worker text PRIMARY KEY CHECK (worker <> ''),
    beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
