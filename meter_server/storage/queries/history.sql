-- The meter as at a moment: one entry, found by an index, whatever the journal's length (WSOP 9.5.3).

-- name: entry_as_at(meter, at)^
-- After the highest entry that is not later.
SELECT meter_id, seq, at, hash, convert_from(body, 'UTF8') FROM entry
WHERE meter_id = :meter AND at <= :at ORDER BY at DESC, seq DESC LIMIT 1;

-- name: entry_at_seq(meter, seq)^
SELECT meter_id, seq, at, hash, convert_from(body, 'UTF8') FROM entry
WHERE meter_id = :meter AND seq = :seq;

-- name: entry_of_settlement(round)^
SELECT meter_id, seq, at, hash, convert_from(body, 'UTF8') FROM entry
WHERE round_id = :round AND kind = 'settlement';

-- name: rulings_page(meter, what, after, page_rows)
-- Rulings are rare: an index finds them without a look at the wagers between them.
SELECT meter_id, seq, at, hash, convert_from(body, 'UTF8') FROM entry
WHERE meter_id = :meter AND kind = 'ruling' AND seq > :after
    AND (:what::text IS NULL OR convert_from(body, 'UTF8')::jsonb -> 'detail' ->> 'what' = :what)
ORDER BY seq LIMIT :page_rows;
