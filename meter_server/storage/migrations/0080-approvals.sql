-- A console asks for a supervisor's word, who gives it at a device of their own; it becomes a grant.
-- A console waits for one word at a time.
CREATE TABLE approval (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id text NOT NULL REFERENCES device,
    table_id text NOT NULL REFERENCES gaming_table,
    action text NOT NULL CHECK (action <> ''),
    role_key text NOT NULL REFERENCES role,
    asked_by text REFERENCES staff,
    asked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > asked_at),
    ended_at timestamptz,
    ended_by text REFERENCES staff,
    grant_id text UNIQUE REFERENCES authority_grant,
    CHECK (ended_at IS NOT NULL OR ended_by IS NULL),
    CHECK (ended_by IS NOT NULL OR grant_id IS NULL)
);
CREATE UNIQUE INDEX approval_open ON approval (device_id) WHERE ended_at IS NULL;
CREATE VIEW approvals_for_audit AS SELECT * FROM approval;

GRANT SELECT, INSERT, UPDATE ON approval TO prize_meter_app;
GRANT SELECT ON approvals_for_audit TO prize_meter_audit;
