-- Who won, as a person of the Cage or of the floor took it down: beside the journal, never in it. The
-- journal's ruling names the digest of the salt and the details. What was put right is a new row; the
-- details may be erased by the database's owner when the law says so, and the digest then tells nothing.
CREATE TABLE winner (
    digest text PRIMARY KEY CHECK (digest ~ '^[0-9a-f]{64}$'),
    prize_id text NOT NULL REFERENCES award,
    salt bytea NOT NULL CHECK (octet_length(salt) = 32),
    details jsonb NOT NULL,
    noted_by text NOT NULL REFERENCES staff,
    noted_at timestamptz NOT NULL
);
CREATE INDEX winner_prize ON winner (prize_id, noted_at);
-- Auditors see that somebody took details down and whether they are still there, not the details.
CREATE VIEW winners_for_audit AS SELECT digest, prize_id, noted_by, noted_at FROM winner;
GRANT SELECT, INSERT ON winner TO prize_meter_app;
GRANT SELECT ON winners_for_audit TO prize_meter_audit;
