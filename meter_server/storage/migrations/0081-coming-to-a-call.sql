-- Who was called says that they are coming; the call stays open until they are there.
ALTER TABLE floor_call
    ADD COLUMN coming_by text REFERENCES staff,
    ADD COLUMN coming_at timestamptz,
    ADD CHECK ((coming_by IS NULL) = (coming_at IS NULL));
CREATE OR REPLACE VIEW floor_calls_for_audit AS SELECT * FROM floor_call;
