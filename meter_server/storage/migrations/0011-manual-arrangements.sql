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
CREATE VIEW manual_arrangements_for_audit AS SELECT * FROM manual_arrangement;
GRANT SELECT, INSERT, UPDATE ON manual_arrangement TO prize_meter_app;
GRANT SELECT ON manual_arrangements_for_audit TO prize_meter_audit;
