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

