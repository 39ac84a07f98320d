-- name: add_violation(kind, subject, place, sentence, now)!
INSERT INTO violation (kind, subject, place, sentence, found_at)
VALUES (:kind, :subject, :place, :sentence, :now)
ON CONFLICT (kind, subject, place) WHERE settled_at IS NULL DO NOTHING;

-- name: open_violations(page_rows)
SELECT kind, subject, place, sentence, found_at
FROM violation WHERE settled_at IS NULL ORDER BY id LIMIT :page_rows;

-- name: look_at_the_database(closing)^
-- What a server process wants to know every few seconds, without a lock and without a scan.
SELECT
    clock_timestamp(),
    current_setting('transaction_read_only') = 'on',
    (SELECT max(number) FROM checkpoint),
    (SELECT sentence FROM violation WHERE settled_at IS NULL AND kind = :closing
        ORDER BY id LIMIT 1);
