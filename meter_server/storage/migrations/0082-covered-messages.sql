-- The list of messages that the note signs; none in notes of version 1 (docs/protocol.md, 9).
ALTER TABLE checkpoint ADD COLUMN messages text;
CREATE OR REPLACE VIEW checkpoints_for_audit AS SELECT * FROM checkpoint;

-- Messages that no checkpoint lists yet. Each comes here with the statement that records it, whatever
-- release the server is of, and whoever makes a checkpoint takes what is visible: one that commits late
-- waits for the next.
CREATE TABLE uncovered_message (
    key text NOT NULL
);
CREATE FUNCTION wait_for_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncovered_message SELECT key FROM recorded;
    RETURN NULL;
END $$;
CREATE TRIGGER message_waits_for_a_checkpoint AFTER INSERT ON message
    REFERENCING NEW TABLE AS recorded
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_checkpoint();
GRANT SELECT, INSERT, DELETE ON uncovered_message TO prize_meter_app;

-- The next checkpoint lists all that there are; the trigger keeps others waiting until this is done.
INSERT INTO uncovered_message SELECT key FROM message;
