-- The list of messages that the note signs; none in notes of version 1 (docs/protocol.md, 9).
ALTER TABLE checkpoint ADD COLUMN messages text;
CREATE OR REPLACE VIEW checkpoints_for_audit AS SELECT * FROM checkpoint;

-- Messages that no checkpoint lists yet. Whoever records a message puts it here in the same statement,
-- and whoever makes a checkpoint takes what is visible: one that commits late waits for the next.
CREATE TABLE uncovered_message (
    key text NOT NULL
);
GRANT SELECT, INSERT, DELETE ON uncovered_message TO prize_meter_app;

-- The next checkpoint lists all that there are.
INSERT INTO uncovered_message SELECT key FROM message;
