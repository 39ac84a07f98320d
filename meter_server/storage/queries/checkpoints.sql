-- name: wait_for_other_checkpoints(lock)^
-- Inside a transaction: of several servers one at a time makes a checkpoint.
SELECT pg_advisory_xact_lock(:lock);

-- name: latest_checkpoints(page_rows)
SELECT number, at, note FROM checkpoint ORDER BY number DESC LIMIT :page_rows;

-- name: checkpoints_after(number, page_rows)
SELECT number, at, note FROM checkpoint WHERE number > :number ORDER BY number LIMIT :page_rows;

-- name: add_checkpoint(number, at, note, messages)!
INSERT INTO checkpoint (number, at, note, messages) VALUES (:number, :at, :note, :messages);

-- name: take_uncovered_messages()
-- Those that are visible now; one that is still being recorded stays for the next checkpoint.
WITH taken AS (DELETE FROM uncovered_message RETURNING key)
SELECT m.key, m.digest, m.at, m.answer, m.request FROM taken JOIN message AS m ON m.key = taken.key;

-- name: messages_of_checkpoint(number)$
SELECT messages FROM checkpoint WHERE number = :number;

-- name: messages_by_key(keys)
SELECT key, digest, at, answer, request FROM message WHERE key = ANY (:keys);

-- name: messages_not_listed()$
-- In one statement, so that nothing is recorded or listed in between.
SELECT (SELECT count(*) FROM message)
    - (SELECT count(*) FROM uncovered_message)
    - (SELECT coalesce(sum(length(messages) - length(replace(messages, E'\n', ''))), 0)
        FROM checkpoint);

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
