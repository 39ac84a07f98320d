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
CREATE INDEX entry_settlement ON entry (round_id) WHERE kind = 'settlement';

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
    answer bytea NOT NULL
);
CREATE TRIGGER message_is_for_ever BEFORE UPDATE OR DELETE ON message
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER message_is_not_truncated BEFORE TRUNCATE ON message
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
