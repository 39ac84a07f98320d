-- name: declare_manual(message, table_id, by, at, reason)!
-- Declaring what is declared already changes nothing, nor does a repeat of the same request.
INSERT INTO manual_arrangement (declared_by_message, table_id, declared_by, declared_at, reason)
VALUES (:message, :table_id, :by, :at, :reason)
ON CONFLICT DO NOTHING;

-- name: end_manual(message, table_id, by, at, paper_rounds, paper_wagers)!
UPDATE manual_arrangement
SET ended_by_message = :message, ended_by = :by, ended_at = :at, paper_rounds = :paper_rounds,
    paper_wagers = :paper_wagers
WHERE table_id = :table_id AND ended_at IS NULL AND declared_at <= :at
AND NOT EXISTS (SELECT 1 FROM manual_arrangement WHERE ended_by_message = :message);

-- name: manual_page(table_id, after, page_rows)
-- The times on paper of one table or of all, oldest first.
SELECT declared_by_message, table_id, declared_by, declared_at, reason, ended_by, ended_at,
    paper_rounds, paper_wagers
FROM manual_arrangement
WHERE (:table_id::text IS NULL OR table_id = :table_id)
AND (
    :after = ''
    OR (declared_at, declared_by_message) > (
        SELECT declared_at, declared_by_message FROM manual_arrangement
        WHERE declared_by_message = :after
    )
)
ORDER BY declared_at, declared_by_message
LIMIT :page_rows;

-- name: keyed_in(table_id, since, until)
-- Registrations keyed in from paper at a table between two times, in the order of keying, each with
-- what became of it, whenever that was keyed in. Wagers registered anew are of an irregularity.
SELECT registration.at, convert_from(registration.body, 'UTF8'),
    outcome.at, convert_from(outcome.body, 'UTF8'), round.state
FROM entry AS registration
JOIN round ON round.id = registration.round_id
LEFT JOIN entry AS outcome
    ON outcome.round_id = registration.round_id AND outcome.kind = 'settlement'
WHERE registration.table_id = :table_id AND registration.kind = 'credit'
AND registration.at >= :since
AND (:until::timestamptz IS NULL OR registration.at <= :until)
AND convert_from(registration.body, 'UTF8')::jsonb -> 'detail' ? 'paper'
AND NOT convert_from(registration.body, 'UTF8')::jsonb -> 'detail' ? 'case'
ORDER BY registration.at, registration.meter_id, registration.seq;

-- name: irregularities_keyed_in(rounds)
-- Irregularities of these rounds keyed in from paper, in the order of keying: each is one reversal
-- or one ruling.
SELECT at, convert_from(body, 'UTF8')
FROM entry
WHERE round_id = ANY(:rounds) AND kind IN ('reversal', 'ruling')
AND convert_from(body, 'UTF8')::jsonb -> 'detail' ? 'paper'
ORDER BY at, meter_id, seq;
