-- The sign of life of the task workers: one row for each, with the database's own time.
CREATE TABLE heartbeat (
    worker text PRIMARY KEY CHECK (worker <> ''),
    beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
