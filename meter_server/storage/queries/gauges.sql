-- name: read_gauges()^
-- What monitoring asks at every scrape, as one snapshot: rows of meters and devices, never the journal.
-- A prize that is not determined yet counts as paid; what of it lies in the sums since the reset is told
-- too, for the margin without it (A-39).
SELECT
    clock_timestamp(),
    (SELECT coalesce(json_agg(json_build_object(
        'id', m.id, 'training', m.training, 'value_micros', m.value_micros,
        'minimum_micros', m.seed_dollars::bigint * m.cost_cents * 10000
            + m.credited_micros - m.reversed_micros - m.prizes_micros,
        'undetermined_micros', (
            SELECT coalesce(sum((a.body ->> 'amount_micros')::bigint), 0) FROM award AS a
            WHERE a.meter_id = m.id AND a.state IN ('pending', 'withheld')
                AND (a.body ->> 'meter_seq')::bigint > coalesce((
                    SELECT max(seq) FROM entry AS e
                    WHERE e.meter_id = m.id AND e.kind = 'reset'
                ), 0)
        )) ORDER BY m.id), '[]') FROM meter AS m WHERE m.state = 'open'),
    (SELECT coalesce(json_object_agg(d.table_id,
        extract(epoch FROM clock_timestamp() - d.heard_at)), '{}')
        FROM (
            SELECT device.table_id, max(device_heartbeat.at) AS heard_at
            FROM device JOIN device_heartbeat ON device_heartbeat.device_id = device.id
            WHERE device.state = 'enrolled' AND device.table_id IS NOT NULL
            GROUP BY device.table_id
        ) AS d),
    (SELECT coalesce(json_object_agg(v.kind, v.found), '{}')
        FROM (SELECT kind, count(*) AS found FROM violation WHERE settled_at IS NULL GROUP BY kind)
        AS v),
    (SELECT number FROM checkpoint ORDER BY number DESC LIMIT 1),
    (SELECT extract(epoch FROM clock_timestamp() - at)
        FROM checkpoint ORDER BY number DESC LIMIT 1);
