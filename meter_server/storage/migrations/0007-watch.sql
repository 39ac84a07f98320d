-- The signed heads of all meters, one checkpoint after the other, for ever (docs/protocol.md, 9). The
-- note is kept as it was signed, here and in a log outside the database.
CREATE TABLE checkpoint (
    number bigint PRIMARY KEY CHECK (number > 0),
    at timestamptz NOT NULL,
    note text NOT NULL CHECK (note <> '')
);
CREATE TRIGGER checkpoint_is_for_ever BEFORE UPDATE OR DELETE ON checkpoint
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoint_is_not_truncated BEFORE TRUNCATE ON checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the server found wrong with its own books, each thing once until somebody has settled it. The
-- server can only add to it: settling is the database owner's.
CREATE TABLE violation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind <> ''),
    subject text NOT NULL CHECK (subject <> ''),
    place bigint NOT NULL,
    sentence text NOT NULL CHECK (sentence <> ''),
    found_at timestamptz NOT NULL,
    settled_at timestamptz
);
CREATE UNIQUE INDEX violation_open ON violation (kind, subject, place) WHERE settled_at IS NULL;

-- How far the books have been checked, and what they amounted to there: where the next check begins.
CREATE TABLE check_mark (
    subject text PRIMARY KEY CHECK (subject <> ''),
    place bigint NOT NULL,
    state jsonb NOT NULL
);

-- Every entry of a round, not its settlement alone; and the rare kinds, which cost the others nothing.
DROP INDEX entry_settlement;
CREATE INDEX entry_round ON entry (round_id);
CREATE INDEX entry_rare ON entry (meter_id, kind, seq) WHERE kind NOT IN ('credit', 'settlement');

CREATE VIEW checkpoints_for_audit AS SELECT * FROM checkpoint;
CREATE VIEW violations_for_audit AS SELECT * FROM violation;

GRANT SELECT, INSERT ON checkpoint, violation TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON check_mark TO prize_meter_app;
GRANT SELECT ON checkpoints_for_audit, violations_for_audit TO prize_meter_audit;
GRANT SELECT ON checkpoints_for_audit TO prize_meter_app;
