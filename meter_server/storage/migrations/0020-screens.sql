-- Signs and boards: known by the digest of a token that only the screen's own browser holds.
CREATE TABLE screen (
    id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
    token bytea UNIQUE CHECK (octet_length(token) = 32),
    layout text NOT NULL CHECK (layout IN ('sign', 'side-by-side', 'rotating')),
    table_id text REFERENCES gaming_table,
    meters text[] NOT NULL,
    paired_by text NOT NULL REFERENCES staff (number),
    paired_at timestamptz NOT NULL,
    removed_at timestamptz,
    gateway_id text REFERENCES device,
    seen_at timestamptz,
    showing jsonb,
    CONSTRAINT screen_sign_has_a_table CHECK ((layout = 'sign') = (table_id IS NOT NULL)),
    CONSTRAINT screen_removed_has_no_token CHECK ((token IS NULL) = (removed_at IS NOT NULL))
);
CREATE INDEX screen_table ON screen (table_id);

-- Codes that screens show until somebody approves them.
CREATE TABLE pairing (
    code text PRIMARY KEY,
    token bytea NOT NULL UNIQUE CHECK (octet_length(token) = 32),
    gateway_id text NOT NULL REFERENCES device,
    expires_at timestamptz NOT NULL
);

-- Proof of display: what was on which screen from when to when. A stretch grows while the screen goes
-- on reporting; after a gap, or a minute in which the meter moved, a new one begins.
CREATE TABLE display (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    screen_id text NOT NULL REFERENCES screen,
    table_id text REFERENCES gaming_table,
    kind text NOT NULL CHECK (kind IN ('meter', 'notice')),
    subject text NOT NULL CHECK (subject <> ''),
    from_seq bigint,
    to_seq bigint,
    value_micros bigint,
    from_at timestamptz NOT NULL,
    to_at timestamptz NOT NULL,
    CHECK (to_at >= from_at),
    CHECK (to_seq >= from_seq),
    CONSTRAINT display_of_a_meter_has_its_value
        CHECK ((kind = 'meter') = (value_micros IS NOT NULL AND to_seq IS NOT NULL))
);
CREATE INDEX display_last ON display (screen_id, kind, subject, to_at DESC);
CREATE INDEX display_subject ON display (kind, subject, from_at);

-- Changes that are to be made as soon as their notices have stood, on the word of the person who asked.
CREATE TABLE scheduled_change (
    notice_id text PRIMARY KEY REFERENCES notice,
    scheduled_by text NOT NULL REFERENCES staff (number),
    scheduled_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_answer text
);

CREATE VIEW screens_for_audit AS SELECT id, layout, table_id, meters, paired_by, paired_at, removed_at,
    gateway_id, seen_at, showing FROM screen;
CREATE VIEW displays_for_audit AS SELECT * FROM display;
CREATE VIEW scheduled_changes_for_audit AS SELECT * FROM scheduled_change;

GRANT SELECT, INSERT, UPDATE ON screen, display, scheduled_change TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON pairing TO prize_meter_app;
GRANT SELECT ON screens_for_audit, displays_for_audit, scheduled_changes_for_audit TO prize_meter_audit;
