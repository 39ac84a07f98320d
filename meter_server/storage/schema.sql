-- The whole schema as the migrations leave it, to be read. A test compares the two.

-- Which migrations this database has had.
CREATE TABLE schema_migration (
    id text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The sign of life of the task workers: one row for each, with the database's own time.
CREATE TABLE heartbeat (
    worker text PRIMARY KEY CHECK (worker <> ''),
    beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The prize meter of each system. The journal is the truth; this row is its last line, kept so that
-- a decision reads one row. The checks restate rules 9.3 and 6.3 in the database's own words.
CREATE TABLE meter (
    id text PRIMARY KEY CHECK (id <> ''),
    training boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'closed')),
    option_number integer NOT NULL CHECK (option_number IN (1, 2)),
    seed_dollars integer NOT NULL CHECK (seed_dollars > 0),
    cost_cents integer NOT NULL CHECK (cost_cents > 0),
    value_micros bigint NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    epoch bigint NOT NULL CHECK (epoch > 0),
    base_micros bigint NOT NULL,
    credited_micros bigint NOT NULL,
    reversed_micros bigint NOT NULL,
    prizes_micros bigint NOT NULL,
    transferred_micros bigint NOT NULL,
    extra_micros bigint NOT NULL,
    turnover_micros bigint NOT NULL,
    head bytea NOT NULL CHECK (octet_length(head) = 32),
    at timestamptz NOT NULL,
    CONSTRAINT meter_equals_its_sums CHECK (
        value_micros = base_micros + credited_micros - reversed_micros - prizes_micros
            + transferred_micros + extra_micros
    ),
    CONSTRAINT meter_never_below_its_seed CHECK (
        state = 'closed' OR value_micros >= seed_dollars::bigint * cost_cents * 10000
    )
);

-- One row that every change of the set of systems moves: two servers cannot both open a system at
-- the same cost, because each looks at all the others (WSOP 9.1.1(e), (f); Three Card 6.1.1(e), (f)).
CREATE TABLE floor (
    the_only_one boolean PRIMARY KEY DEFAULT true CHECK (the_only_one),
    version bigint NOT NULL
);
INSERT INTO floor (version) VALUES (1);

-- A table belongs to at most one system: it has one column for it.
CREATE TABLE gaming_table (
    id text PRIMARY KEY CHECK (id <> ''),
    version bigint NOT NULL CHECK (version > 0),
    meter_id text REFERENCES meter,
    body jsonb NOT NULL
);
CREATE INDEX gaming_table_meter ON gaming_table (meter_id);

CREATE TABLE round (
    id text PRIMARY KEY CHECK (id <> ''),
    version bigint NOT NULL CHECK (version > 0),
    table_id text NOT NULL REFERENCES gaming_table,
    meter_id text NOT NULL REFERENCES meter,
    state text NOT NULL,
    body jsonb NOT NULL
);
-- One game at a time at a table.
CREATE UNIQUE INDEX round_open ON round (table_id) WHERE state = 'registered';

CREATE TABLE award (
    id text PRIMARY KEY CHECK (id <> ''),
    version bigint NOT NULL CHECK (version > 0),
    meter_id text NOT NULL REFERENCES meter,
    round_id text NOT NULL REFERENCES round,
    state text NOT NULL,
    body jsonb NOT NULL
);
CREATE INDEX award_meter ON award (meter_id, state);
CREATE INDEX award_round ON award (round_id);

CREATE TABLE notice (
    id text PRIMARY KEY CHECK (id <> ''),
    version bigint NOT NULL CHECK (version > 0),
    state text NOT NULL,
    body jsonb NOT NULL
);

-- The journal. `body` holds the canonical bytes as they were hashed; the columns beside it are copies
-- for questions, and the checks hold them together with what came before.
CREATE TABLE entry (
    meter_id text NOT NULL REFERENCES meter,
    seq bigint NOT NULL CHECK (seq > 0),
    kind text NOT NULL,
    amount_micros bigint NOT NULL,
    before_micros bigint NOT NULL,
    after_micros bigint NOT NULL,
    epoch bigint NOT NULL,
    at timestamptz NOT NULL,
    table_id text,
    round_id text,
    message text,
    body bytea NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (meter_id, seq),
    CHECK (after_micros = before_micros + amount_micros),
    CONSTRAINT entry_may_lower CHECK (
        amount_micros >= 0
        OR kind IN ('reversal', 'prize', 'transfer-out', 'correction', 'closing')
    ),
    CONSTRAINT entry_is_chained CHECK (hash = sha256(previous || body))
);
CREATE INDEX entry_at ON entry (meter_id, at, seq);
CREATE INDEX entry_table ON entry (table_id, at);
CREATE INDEX entry_round ON entry (round_id);
-- The rare kinds, found at once; it costs the others nothing.
CREATE INDEX entry_rare ON entry (meter_id, kind, seq) WHERE kind NOT IN ('credit', 'settlement');

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is in % stays as it is: write a correction instead', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER entry_is_for_ever BEFORE UPDATE OR DELETE ON entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_is_not_truncated BEFORE TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The last number each device's epoch has used: messages come in order, without a gap.
CREATE TABLE device_number (
    device_id text NOT NULL CHECK (device_id <> ''),
    epoch integer NOT NULL CHECK (epoch > 0),
    last_number bigint NOT NULL CHECK (last_number >= 0),
    PRIMARY KEY (device_id, epoch)
);

-- Every message that was answered, for ever: a repeat gets the same answer and changes nothing.
CREATE TABLE message (
    key text PRIMARY KEY CHECK (key <> ''),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    at timestamptz NOT NULL,
    answer bytea NOT NULL,
    request bytea
);
CREATE TRIGGER message_is_for_ever BEFORE UPDATE OR DELETE ON message
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER message_is_not_truncated BEFORE TRUNCATE ON message
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The roles prize_meter_app and prize_meter_audit, which the grants below name, belong to the whole
-- cluster: migration 0003-access makes them where they are missing.

-- What a person can be. Ranks have a level, and more can be inserted above; the others stand outside
-- the ladder. A new row is the database owner's to write: the server cannot invent a rank.
CREATE TABLE role (
    key text PRIMARY KEY CHECK (key ~ '^[a-z][a-z-]{0,39}$'),
    title text NOT NULL UNIQUE CHECK (title <> ''),
    level integer UNIQUE CHECK (level > 0)
);
INSERT INTO role (key, title, level) VALUES
    ('dealer', 'Dealer', 10),
    ('higher-duties', 'TG Higher Duties Dealer', 20),
    ('area-manager', 'TG Area Manager', 30),
    ('assistant-casino-manager', 'TG Assistant Casino Manager', 40),
    ('administrator', 'Administrator', NULL),
    ('audit', 'Audit', NULL),
    ('cage', 'Cage', NULL),
    ('compliance', 'Compliance', NULL),
    ('inspector', 'Inspector', NULL);

-- Nobody is ever deleted: the journal names them. Secrets are kept as hashes only, and a person
-- without a password has not answered the invitation yet.
CREATE TABLE staff (
    number text PRIMARY KEY CHECK (number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
    name text NOT NULL CHECK (name <> ''),
    role_key text NOT NULL REFERENCES role,
    state text NOT NULL CHECK (state IN ('active', 'suspended')),
    created_at timestamptz NOT NULL,
    password_hash text CHECK (password_hash LIKE '$argon2id$%'),
    pin_hash text CHECK (pin_hash LIKE '$argon2id$%'),
    card_digest bytea UNIQUE CHECK (octet_length(card_digest) = 32)
);

-- A one-time code with which a person chooses a password; a new invitation replaces the old one.
CREATE TABLE invitation (
    staff_number text PRIMARY KEY REFERENCES staff,
    code_digest bytea NOT NULL CHECK (octet_length(code_digest) = 32),
    expires_at timestamptz NOT NULL
);

-- Wrong guesses of one person's secret from one place; a right one clears the row.
CREATE TABLE failed_attempt (
    staff_number text NOT NULL,
    place text NOT NULL,
    failures integer NOT NULL CHECK (failures > 0),
    last_at timestamptz NOT NULL,
    PRIMARY KEY (staff_number, place)
);

-- Who is signed in. The token itself is only in the person's browser; ended sessions are removed,
-- the audit trail keeps their story.
CREATE TABLE session (
    token_digest bytea PRIMARY KEY CHECK (octet_length(token_digest) = 32),
    staff_number text NOT NULL REFERENCES staff,
    address text NOT NULL,
    created_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX session_staff ON session (staff_number);

-- Who stood at which console: the last row of a console is the person there now, and one without a
-- person says that nobody is.
CREATE TABLE console_sign_on (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id text NOT NULL CHECK (device_id <> ''),
    table_id text NOT NULL CHECK (table_id <> ''),
    staff_number text REFERENCES staff,
    at timestamptz NOT NULL
);
CREATE INDEX console_sign_on_device ON console_sign_on (device_id, id);
CREATE INDEX console_sign_on_person ON console_sign_on (device_id, staff_number);

-- A supervisor's word for one action at one table, given by PIN: for one message, for seconds.
CREATE TABLE authority_grant (
    id text PRIMARY KEY CHECK (id <> ''),
    staff_number text NOT NULL REFERENCES staff,
    role_key text NOT NULL REFERENCES role,
    device_id text NOT NULL CHECK (device_id <> ''),
    table_id text NOT NULL CHECK (table_id <> ''),
    action text NOT NULL CHECK (action <> ''),
    given_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > given_at),
    used_at timestamptz,
    used_for text UNIQUE,
    CHECK ((used_at IS NULL) = (used_for IS NULL))
);

-- What takes two persons: one proposes, another one confirms, and then it is carried out once.
-- A confirmed proposal without a result is being carried out.
CREATE TABLE proposal (
    id text PRIMARY KEY CHECK (id <> ''),
    action text NOT NULL CHECK (action <> ''),
    body jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('proposed', 'confirmed', 'refused', 'rejected', 'lapsed')),
    proposed_by text NOT NULL REFERENCES staff,
    proposed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    confirmed_by text REFERENCES staff,
    rejected_by text REFERENCES staff,
    decided_at timestamptz,
    reason text,
    result jsonb,
    CONSTRAINT proposal_takes_two_persons CHECK (confirmed_by <> proposed_by),
    CHECK ((confirmed_by IS NOT NULL) = (state IN ('confirmed', 'refused'))),
    CHECK ((rejected_by IS NOT NULL) = (state = 'rejected')),
    CHECK ((decided_at IS NOT NULL) = (state IN ('confirmed', 'refused', 'rejected'))),
    CHECK ((reason IS NOT NULL) = (state IN ('refused', 'rejected'))),
    CHECK (result IS NULL OR state = 'confirmed')
);
CREATE INDEX proposal_state ON proposal (state, proposed_at);

-- Every action and every refusal, one line each, for ever.
CREATE TABLE audit_trail (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    tag text NOT NULL CHECK (tag ~ '^[a-z-]+:[a-z-]+:[a-z-]+$'),
    person text,
    device text,
    address text NOT NULL,
    request_id text NOT NULL,
    subject text,
    before jsonb,
    after jsonb,
    allowed boolean NOT NULL,
    reason text,
    CHECK (allowed = (reason IS NULL))
);
CREATE INDEX audit_trail_person ON audit_trail (person, id);
CREATE INDEX audit_trail_subject ON audit_trail (subject, id);
CREATE TRIGGER audit_trail_is_for_ever BEFORE UPDATE OR DELETE ON audit_trail
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_trail_is_not_truncated BEFORE TRUNCATE ON audit_trail
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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

ALTER TABLE message ADD FOREIGN KEY (request) REFERENCES request;

-- When each device was last heard, by the server's time.
CREATE TABLE device_heartbeat (
    device_id text PRIMARY KEY REFERENCES device,
    at timestamptz NOT NULL
);

-- The signed heads of all meters, one checkpoint after the other, for ever (docs/protocol.md, 9). The
-- note is kept as it was signed, here and in a log outside the database.
CREATE TABLE checkpoint (
    number bigint PRIMARY KEY CHECK (number > 0),
    at timestamptz NOT NULL,
    note text NOT NULL CHECK (note <> ''),
    -- The list of messages that the note signs; none in notes of version 1.
    messages text
);
CREATE TRIGGER checkpoint_is_for_ever BEFORE UPDATE OR DELETE ON checkpoint
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoint_is_not_truncated BEFORE TRUNCATE ON checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
    coming_by text REFERENCES staff,
    coming_at timestamptz,
    CHECK (ended_at IS NOT NULL OR ended_by IS NULL),
    CHECK ((coming_by IS NULL) = (coming_at IS NULL))
);
CREATE UNIQUE INDEX floor_call_open ON floor_call (table_id, role_key) WHERE ended_at IS NULL;

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

-- From when to when a table worked on paper, who declared and ended it, and what the paper adds up to:
-- written beside the command's line in the trail, under the keys of the two commands.
CREATE TABLE manual_arrangement (
    declared_by_message text PRIMARY KEY REFERENCES message,
    table_id text NOT NULL REFERENCES gaming_table,
    declared_by text NOT NULL REFERENCES staff,
    declared_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    ended_by_message text UNIQUE REFERENCES message,
    ended_by text REFERENCES staff,
    ended_at timestamptz CHECK (ended_at >= declared_at),
    paper_rounds integer CHECK (paper_rounds >= 0),
    paper_wagers integer CHECK (paper_wagers >= 0),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_by_message IS NULL)),
    CHECK ((ended_at IS NULL) = (paper_rounds IS NULL)),
    CHECK ((ended_at IS NULL) = (paper_wagers IS NULL))
);
CREATE UNIQUE INDEX manual_arrangement_open ON manual_arrangement (table_id) WHERE ended_at IS NULL;
CREATE INDEX manual_arrangement_table ON manual_arrangement (table_id, declared_at);

-- What an auditor may look at: everything that happened, and no secret.
CREATE VIEW journal_for_audit AS SELECT * FROM entry;
CREATE VIEW messages_for_audit AS SELECT * FROM message;
CREATE VIEW meters_for_audit AS SELECT * FROM meter;
CREATE VIEW tables_for_audit AS SELECT * FROM gaming_table;
CREATE VIEW rounds_for_audit AS SELECT * FROM round;
CREATE VIEW awards_for_audit AS SELECT * FROM award;
CREATE VIEW notices_for_audit AS SELECT * FROM notice;
CREATE VIEW staff_for_audit AS SELECT number, name, role_key, state, created_at FROM staff;
CREATE VIEW sign_ons_for_audit AS SELECT * FROM console_sign_on;
CREATE VIEW grants_for_audit AS SELECT * FROM authority_grant;
CREATE VIEW proposals_for_audit AS SELECT * FROM proposal;
CREATE VIEW trail_for_audit AS SELECT * FROM audit_trail;
CREATE VIEW devices_for_audit AS SELECT * FROM device;
CREATE VIEW device_keys_for_audit AS SELECT * FROM device_key;
CREATE VIEW requests_for_audit AS SELECT * FROM request;
CREATE VIEW device_heartbeats_for_audit AS SELECT * FROM device_heartbeat;
CREATE VIEW device_numbers_for_audit AS SELECT * FROM device_number;
CREATE VIEW checkpoints_for_audit AS SELECT * FROM checkpoint;
CREATE VIEW violations_for_audit AS SELECT * FROM violation;
CREATE VIEW floor_calls_for_audit AS SELECT * FROM floor_call;
CREATE VIEW approvals_for_audit AS SELECT * FROM approval;
-- Auditors see that somebody took details down and whether they are still there, not the details.
CREATE VIEW winners_for_audit AS SELECT digest, prize_id, noted_by, noted_at FROM winner;
CREATE VIEW manual_arrangements_for_audit AS SELECT * FROM manual_arrangement;

-- The server writes the journal, its messages and the trail once and never again. A row lock counts
-- as an UPDATE in PostgreSQL, and no row of those three is ever locked.
GRANT USAGE ON SCHEMA public TO prize_meter_app, prize_meter_audit;
GRANT SELECT ON schema_migration, role TO prize_meter_app;
GRANT SELECT, INSERT ON entry, message, audit_trail, console_sign_on TO prize_meter_app;
GRANT SELECT, UPDATE ON floor TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON heartbeat, meter, gaming_table, round, award, notice, device_number,
    staff, authority_grant, proposal TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON session, invitation, failed_attempt TO prize_meter_app;
GRANT SELECT ON journal_for_audit, messages_for_audit, meters_for_audit, tables_for_audit,
    rounds_for_audit, awards_for_audit, notices_for_audit, staff_for_audit, sign_ons_for_audit,
    grants_for_audit, proposals_for_audit, trail_for_audit TO prize_meter_audit;
GRANT SELECT, INSERT ON request TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON device, device_key, device_heartbeat TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON enrolment TO prize_meter_app;
GRANT SELECT ON devices_for_audit, device_keys_for_audit, requests_for_audit,
    device_heartbeats_for_audit TO prize_meter_audit;
GRANT SELECT, INSERT ON checkpoint, violation TO prize_meter_app;
GRANT SELECT, INSERT, DELETE ON uncovered_message TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON check_mark TO prize_meter_app;
GRANT SELECT ON checkpoints_for_audit, violations_for_audit TO prize_meter_audit;
GRANT SELECT ON checkpoints_for_audit TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON floor_call TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE ON approval TO prize_meter_app;
GRANT SELECT ON floor_calls_for_audit TO prize_meter_audit;
GRANT SELECT ON approvals_for_audit TO prize_meter_audit;
-- What an export reads, for auditors and for the server alike: one way to read it.
GRANT SELECT ON device_numbers_for_audit TO prize_meter_audit;
GRANT SELECT ON journal_for_audit, messages_for_audit, meters_for_audit, device_keys_for_audit,
    device_numbers_for_audit, requests_for_audit TO prize_meter_app;

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
CREATE INDEX display_old ON display USING brin (to_at);

-- Proof of display is kept as long as the house wants, and 90 days at least: the server cannot take
-- away what is younger, and what showed a notice stays for good.
CREATE FUNCTION forget_displays(before timestamptz, rows_max integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    forgotten bigint;
BEGIN
    IF before > now() - interval '90 days' THEN
        RAISE EXCEPTION 'proof of display is kept for 90 days at least'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM display WHERE id IN (
        SELECT id FROM display WHERE kind = 'meter' AND to_at < before LIMIT rows_max
    );
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END
$$;

-- Changes that are to be made as soon as their notices have stood, on the word of the person who asked.
CREATE TABLE scheduled_change (
    notice_id text PRIMARY KEY REFERENCES notice,
    scheduled_by text NOT NULL REFERENCES staff (number),
    scheduled_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_answer text,
    -- One that is refused is not tried again at once.
    attempted_at timestamptz
);

CREATE VIEW screens_for_audit AS SELECT id, layout, table_id, meters, paired_by, paired_at, removed_at,
    gateway_id, seen_at, showing FROM screen;
CREATE VIEW displays_for_audit AS SELECT * FROM display;
CREATE VIEW scheduled_changes_for_audit AS SELECT * FROM scheduled_change;

GRANT SELECT, INSERT, UPDATE ON screen, display, scheduled_change TO prize_meter_app;
REVOKE ALL ON FUNCTION forget_displays FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_displays TO prize_meter_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON pairing TO prize_meter_app;
GRANT SELECT ON screens_for_audit, displays_for_audit, scheduled_changes_for_audit TO prize_meter_audit;
GRANT SELECT, INSERT ON winner TO prize_meter_app;
GRANT SELECT ON winners_for_audit TO prize_meter_audit;
GRANT SELECT, INSERT, UPDATE ON manual_arrangement TO prize_meter_app;
GRANT SELECT ON manual_arrangements_for_audit TO prize_meter_audit;
