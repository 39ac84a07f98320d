-- name: table_standing(table_id, device_id, epoch, checkpoint)^
-- What the books say of a console's table, in one snapshot: asked after every message of every table.
WITH this_table AS (
    SELECT * FROM gaming_table WHERE id = :table_id
), this_round AS (
    SELECT round.* FROM this_table
    JOIN round ON round.id IN (this_table.body ->> 'open_round_id', this_table.body ->> 'last_round_id')
)
SELECT
    this_table.body,
    (SELECT json_build_object('id', id, 'training', training, 'state', state,
        'terms', json_build_object('option_number', option_number,
            'seed_dollars', seed_dollars, 'cost_cents', cost_cents),
        'value_micros', value_micros, 'seq', seq, 'epoch', meter.epoch)
        FROM meter WHERE meter.id = this_table.meter_id) AS meter,
    (SELECT json_agg(body) FROM this_round) AS rounds,
    (SELECT json_agg(award.body ORDER BY award.id)
        FROM award JOIN this_round ON this_round.id = award.round_id) AS awards,
    (SELECT json_agg(body ORDER BY id) FROM notice WHERE state = 'drafted') AS notices,
    (SELECT last_number FROM device_number
        WHERE device_id = :device_id AND device_number.epoch = :epoch) AS last_number,
    (SELECT json_agg(json_build_object('id', floor_call.id, 'table_id', table_id,
        'role_key', role.key, 'role_title', role.title, 'level', role.level, 'reason', reason,
        'called_by', called_by, 'called_at', called_at, 'coming_by', coming_by,
        'coming_name', staff.name) ORDER BY floor_call.id)
        FROM floor_call
        JOIN role ON role.key = floor_call.role_key
        LEFT JOIN staff ON staff.number = coming_by
        WHERE ended_at IS NULL AND table_id = :table_id) AS calls,
    (SELECT note FROM checkpoint WHERE number = :checkpoint) AS checkpoint
FROM this_table;
