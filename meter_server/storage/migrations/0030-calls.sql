-- Somebody of a rank is called to a table, and until when that was open. One call of a rank is open
-- at a table at a time: pressing again calls nobody twice.
CREATE TABLE floor_call (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id text NOT NULL REFERENCES gaming_table,
    device_id text NOT NULL REFERENCES device,
    role_key text NOT NULL REFERENCES role,
    reason text NOT NULL CHECK (reason <> ''),
    called_by text REFERENCES staff,
    called_at timestamptz NOT NULL,
    ended_at timestamptz,
    ended_by text REFERENCES staff,
    CHECK (ended_at IS NOT NULL OR ended_by IS NULL)
);
CREATE UNIQUE INDEX floor_call_open ON floor_call (table_id, role_key) WHERE ended_at IS NULL;
CREATE VIEW floor_calls_for_audit AS SELECT * FROM floor_call;

GRANT SELECT, INSERT, UPDATE ON floor_call TO prize_meter_app;
GRANT SELECT ON floor_calls_for_audit TO prize_meter_audit;
