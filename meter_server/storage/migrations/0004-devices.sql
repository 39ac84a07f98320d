-- Table agents and signage gateways. A device is its name and its epoch: enrolled again, it begins a
-- new epoch and numbers its messages from one.
CREATE TABLE device (
    id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
    kind text NOT NULL CHECK (kind IN ('agent', 'gateway')),
    table_id text REFERENCES gaming_table,
    epoch integer NOT NULL CHECK (epoch > 0),
    state text NOT NULL CHECK (state IN ('enrolled', 'frozen', 'revoked')),
    reason text,
    enrolled_at timestamptz NOT NULL,
    CONSTRAINT device_of_a_table CHECK ((kind = 'agent') = (table_id IS NOT NULL)),
    CONSTRAINT device_kept_out_with_a_reason CHECK ((state = 'enrolled') = (reason IS NULL))
);

-- Public keys only: the private ones never leave their devices. A key belongs to one epoch of one
-- device and is never taken again, so its name says who signed.
CREATE TABLE device_key (
    id text PRIMARY KEY,
    public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
    device_id text NOT NULL REFERENCES device,
    epoch integer NOT NULL CHECK (epoch > 0),
    valid_from timestamptz NOT NULL,
    valid_to timestamptz NOT NULL,
    CONSTRAINT device_key_is_named_by_its_digest
        CHECK (id = left(encode(sha256(public_key), 'hex'), 32)),
    CHECK (valid_to >= valid_from)
);
CREATE INDEX device_key_device ON device_key (device_id, epoch);

-- A one-time code for a device, which two persons stand behind; a new one replaces the old.
CREATE TABLE enrolment (
    device_id text PRIMARY KEY,
    kind text NOT NULL,
    table_id text REFERENCES gaming_table,
    proposal_id text NOT NULL UNIQUE REFERENCES proposal,
    code_digest bytea NOT NULL CHECK (octet_length(code_digest) = 32),
    expires_at timestamptz NOT NULL
);

-- Every signed request that brought a message, once, as it came: who reported what can be checked
-- again for ever. Its path and query are fixed, its digest is of its body.
CREATE TABLE request (
    digest bytea PRIMARY KEY,
    body bytea NOT NULL,
    key_id text NOT NULL REFERENCES device_key,
    signature_input text NOT NULL,
    signature text NOT NULL,
    at timestamptz NOT NULL,
    CONSTRAINT request_is_named_by_its_digest CHECK (digest = sha256(body))
);
CREATE TRIGGER request_is_for_ever BEFORE UPDATE OR DELETE ON request
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER request_is_not_truncated BEFORE TRUNCATE ON request
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE message ADD COLUMN request bytea REFERENCES request;

CREATE OR REPLACE VIEW messages_for_audit AS SELECT * FROM message;
CREATE VIEW devices_for_audit AS SELECT * FROM device;
CREATE VIEW device_keys_for_audit AS SELECT * FROM device_key;
CREATE VIEW requests_for_audit AS SELECT * FROM request;

GRANT SELECT, INSERT ON request TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON device, device_key TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON enrolment TO prize_meter_app;
GRANT SELECT ON devices_for_audit, device_keys_for_audit, requests_for_audit TO prize_meter_audit;
