-- name: wait_for_other_checkpoints(lock)^
-- Inside a transaction: of several servers one at a time makes a checkpoint.
SELECT pg_advisory_xact_lock(:lock);

-- name: latest_checkpoints(page_rows)
SELECT number, at, note FROM checkpoint ORDER BY number DESC LIMIT :page_rows;

-- name: checkpoints_after(number, page_rows)
SELECT number, at, note FROM checkpoint WHERE number > :number ORDER BY number LIMIT :page_rows;

-- name: add_checkpoint(number, at, note)!
INSERT INTO checkpoint (number, at, note) VALUES (:number, :at, :note);

-- name: journal_heads()
-- Where every meter's journal ends, as one snapshot.
SELECT meter.id, meter.seq, entry.hash
FROM meter JOIN entry ON entry.meter_id = meter.id AND entry.seq = meter.seq;

-- name: heads_that_differ(meters, seqs, hashes)
-- Of these heads, those that the journal does not have, or has otherwise.
SELECT head.meter, head.seq, entry.hash IS NULL AS is_missing
FROM unnest(:meters::text[], :seqs::bigint[], :hashes::bytea[]) AS head (meter, seq, hash)
LEFT JOIN entry ON entry.meter_id = head.meter AND entry.seq = head.seq
WHERE entry.hash IS DISTINCT FROM head.hash
ORDER BY head.meter;
