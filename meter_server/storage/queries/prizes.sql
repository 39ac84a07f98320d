-- name: prizes_page(only, state, contested, meter_id, after, page_rows)
-- Prizes in the order of their settlements, with the time and place of each; null leaves a wish out.
SELECT award.body, award_round.table_id, meter.training, entry.at
FROM award
JOIN round AS award_round ON award_round.id = award.round_id
JOIN meter ON meter.id = award.meter_id
JOIN entry ON entry.meter_id = award.meter_id AND entry.seq = (award.body ->> 'meter_seq')::bigint
WHERE (:only::text IS NULL OR award.id = :only)
AND (:state::text IS NULL OR award.state = :state)
AND (:meter_id::text IS NULL OR award.meter_id = :meter_id)
AND (
    :contested::boolean IS NULL
    OR :contested = (jsonb_array_length(award.body -> 'contested_with') > 0)
)
AND (
    :after = ''
    OR (entry.at, award.id) > (
        SELECT earlier_entry.at, earlier.id
        FROM award AS earlier
        JOIN entry AS earlier_entry ON earlier_entry.meter_id = earlier.meter_id
            AND earlier_entry.seq = (earlier.body ->> 'meter_seq')::bigint
        WHERE earlier.id = :after
    )
)
ORDER BY entry.at, award.id
LIMIT :page_rows;

-- name: entries_of_round(round_id)
-- What the journal has about one round, oldest first.
SELECT at, convert_from(body, 'UTF8') FROM entry WHERE round_id = :round_id ORDER BY meter_id, seq;

-- name: prizes_around(meter_id, seq, page_rows)
-- The settlements with prizes that come just before and after one, in the order of the meter.
SELECT DISTINCT found.round_id, found.table_id, found.seq, found.at, found.agent_at
FROM (
    (
        SELECT entry.round_id, entry.table_id, entry.seq, entry.at,
            (convert_from(entry.body, 'UTF8')::jsonb ->> 'agent_at')::timestamptz AS agent_at
        FROM entry
        WHERE entry.meter_id = :meter_id AND entry.kind = 'settlement' AND entry.seq <= :seq
        AND EXISTS (SELECT 1 FROM award WHERE award.round_id = entry.round_id)
        ORDER BY entry.seq DESC LIMIT :page_rows
    ) UNION ALL (
        SELECT entry.round_id, entry.table_id, entry.seq, entry.at,
            (convert_from(entry.body, 'UTF8')::jsonb ->> 'agent_at')::timestamptz AS agent_at
        FROM entry
        WHERE entry.meter_id = :meter_id AND entry.kind = 'settlement' AND entry.seq > :seq
        AND EXISTS (SELECT 1 FROM award WHERE award.round_id = entry.round_id)
        ORDER BY entry.seq LIMIT :page_rows
    )
) AS found
ORDER BY found.seq;
