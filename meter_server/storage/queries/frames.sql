-- name: floor_shown()^
-- The floor as signs show it, in one snapshot. Of two snapshots the later one has the higher xmax, or
-- the same one and fewer transactions still in progress: that is the order, and no clock has a part in it.
WITH shown_meter AS (
    SELECT * FROM meter WHERE state = 'open'
), prize_round AS (
    SELECT DISTINCT prize.round_id FROM shown_meter CROSS JOIN LATERAL (
        SELECT round_id FROM entry
        WHERE entry.meter_id = shown_meter.id AND kind = 'prize'
        ORDER BY seq DESC LIMIT 6
    ) AS prize
)
SELECT
    pg_snapshot_xmax(snapshot)::text::bigint * 10000
        + 9999 - least((SELECT count(*) FROM pg_snapshot_xip(snapshot)), 9999) AS floor_order,
    clock_timestamp() AS read_at,
    (SELECT json_agg(json_build_object(
        'at', at,
        'meter', json_build_object('id', id, 'training', training, 'state', state,
            'terms', json_build_object('option_number', option_number,
                'seed_dollars', seed_dollars, 'cost_cents', cost_cents),
            'value_micros', value_micros, 'seq', seq, 'epoch', epoch)
    ) ORDER BY id) FROM shown_meter) AS meters,
    (SELECT json_agg(body ORDER BY id) FROM gaming_table) AS tables,
    (SELECT json_agg(body) FROM round WHERE state = 'registered') AS rounds,
    (SELECT json_agg(body ORDER BY id) FROM notice WHERE state = 'drafted') AS notices,
    (SELECT json_agg(json_build_object('at', entry.at, 'table_id', round.table_id,
        'award', award.body) ORDER BY entry.at, entry.meter_id, entry.seq, award.id)
        FROM award
        JOIN round ON round.id = award.round_id
        JOIN entry ON entry.meter_id = award.meter_id
            AND entry.seq = (award.body ->> 'meter_seq')::bigint
        WHERE award.round_id IN (SELECT round_id FROM prize_round)
            AND award.state <> 'voided' AND award.body ->> 'tops_up' IS NULL) AS hits
FROM pg_current_snapshot() AS snapshot;
