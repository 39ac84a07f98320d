-- name: load_floor(tables, rounds, awards, notices, meters, all_systems, awards_of_rounds, contested_rounds, undecided, last_rounds, history_of_rounds, messages, devices)^
-- Everything a batch of commands looks at, as one snapshot. What grows with every round is found by its index: an
-- OR with a subquery would read all rounds that were ever played.
WITH named_round AS (
    SELECT * FROM round
    WHERE id = ANY (:rounds::text[] || ARRAY(SELECT round_id FROM award WHERE id = ANY (:awards)))
), wanted_table AS (
    SELECT * FROM gaming_table
    WHERE :all_systems OR id = ANY (:tables) OR id IN (SELECT table_id FROM named_round)
), wanted_round AS (
    SELECT * FROM named_round
    UNION
    SELECT round.* FROM wanted_table
    JOIN round ON round.id IN (
        wanted_table.body ->> 'open_round_id',
        CASE WHEN :last_rounds THEN wanted_table.body ->> 'last_round_id' END,
        wanted_table.body -> 'carry' ->> 'round_id'
    )
), wanted_meter AS (
    SELECT * FROM meter
    WHERE :all_systems
    OR id = ANY (:meters)
    OR id IN (SELECT meter_id FROM wanted_table)
    OR id IN (SELECT meter_id FROM wanted_round)
), wanted_award AS (
    SELECT * FROM award WHERE id = ANY (:awards)
    UNION
    SELECT * FROM award WHERE round_id = ANY (:awards_of_rounds)
    UNION
    SELECT * FROM award
    WHERE state <> 'voided'
    AND meter_id IN (SELECT meter_id FROM named_round WHERE id = ANY (:contested_rounds))
    UNION
    SELECT * FROM award WHERE :undecided AND state IN ('pending', 'withheld')
), replayed AS (
    SELECT meter_id, min(seq) AS seq FROM entry
    WHERE kind = 'settlement' AND round_id = ANY (:history_of_rounds)
    GROUP BY meter_id
), put_right AS (
    -- Settlements that were corrected, voided or put in another order, with the reach of that order.
    SELECT settlement.meter_id, settlement.seq,
        min(settlement.seq) OVER correction AS first_seq, max(settlement.seq) OVER correction AS last_seq
    FROM (
        SELECT entry.meter_id, entry.seq, round_id,
            convert_from(body, 'UTF8')::jsonb -> 'detail' AS detail
        FROM entry JOIN replayed ON entry.meter_id = replayed.meter_id
        WHERE kind = 'correction'
    ) AS correction
    CROSS JOIN LATERAL jsonb_array_elements_text(
        coalesce(correction.detail -> 'order', jsonb_build_array(correction.round_id))
    ) AS named (round_id)
    JOIN entry AS settlement
        ON settlement.round_id = named.round_id AND settlement.kind = 'settlement'
    WHERE correction.detail ->> 'what' <> 'bonus'
    WINDOW correction AS (PARTITION BY correction.meter_id, correction.seq)
), parted AS (
    -- The last royal before, that nothing was put right about or across: its reset is in every replay.
    SELECT replayed.meter_id, max(settlement.seq) AS seq
    FROM replayed
    JOIN entry AS prize ON prize.meter_id = replayed.meter_id AND prize.kind = 'prize'
    JOIN entry AS settlement
        ON settlement.round_id = prize.round_id AND settlement.kind = 'settlement'
    WHERE settlement.seq < replayed.seq
    AND convert_from(prize.body, 'UTF8')::jsonb -> 'detail' @> '{"hand": "royal-flush"}'
    AND NOT EXISTS (
        SELECT FROM put_right
        WHERE put_right.meter_id = replayed.meter_id
        AND settlement.seq BETWEEN put_right.first_seq AND put_right.last_seq
    )
    GROUP BY replayed.meter_id
), wanted_entry AS (
    SELECT entry.* FROM entry
    JOIN (
        SELECT replayed.meter_id, least(replayed.seq, min(put_right.seq)) AS seq
        FROM replayed
        LEFT JOIN parted ON parted.meter_id = replayed.meter_id
        LEFT JOIN put_right ON put_right.meter_id = replayed.meter_id
            AND put_right.seq > coalesce(parted.seq, 0)
        GROUP BY replayed.meter_id, replayed.seq
    ) AS start ON entry.meter_id = start.meter_id AND entry.seq >= start.seq
)
SELECT
    (SELECT json_agg(json_build_object(
        'id', id, 'training', training, 'state', state,
        'terms', json_build_object('option_number', option_number,
            'seed_dollars', seed_dollars, 'cost_cents', cost_cents),
        'value_micros', value_micros, 'seq', seq, 'epoch', epoch, 'base_micros', base_micros,
        'sums', json_build_object('credited', credited_micros, 'reversed', reversed_micros,
            'prizes', prizes_micros, 'transferred', transferred_micros, 'extra', extra_micros,
            'turnover', turnover_micros),
        'head', encode(head, 'hex'),
        'at_us', (extract(epoch FROM at) * 1000000)::bigint
    )) FROM wanted_meter) AS meters,
    (SELECT json_agg(json_build_object('id', id, 'version', version, 'body', body))
        FROM wanted_table) AS tables,
    (SELECT json_agg(json_build_object('id', id, 'version', version, 'body', body))
        FROM wanted_round) AS rounds,
    (SELECT json_agg(json_build_object('id', id, 'version', version, 'body', body))
        FROM wanted_award) AS awards,
    (SELECT json_agg(json_build_object('id', id, 'version', version, 'body', body))
        FROM notice WHERE id = ANY (:notices)) AS notices,
    (SELECT json_agg(json_build_object('meter_id', meter_id, 'body', convert_from(body, 'UTF8'))
        ORDER BY meter_id, seq) FROM wanted_entry) AS entries,
    (SELECT json_agg(json_build_object('key', key, 'digest', encode(digest, 'hex'),
        'answer', convert_from(answer, 'UTF8'))) FROM message WHERE key = ANY (:messages))
        AS messages,
    (SELECT json_agg(json_build_object('device_id', device_id, 'epoch', epoch,
        'last_number', last_number)) FROM device_number WHERE device_id = ANY (:devices))
        AS numbers,
    (SELECT version FROM floor) AS floor_version;

-- name: lock_floor(devices, all_systems, meters)^
-- The same order as below: devices, the floor, meters by id.
WITH number AS MATERIALIZED (
    SELECT 1 FROM device_number WHERE device_id = ANY (:devices)
    ORDER BY device_id, epoch FOR UPDATE
), the_floor AS MATERIALIZED (
    SELECT 1 FROM floor WHERE :all_systems AND (SELECT count(*) FROM number) >= 0 FOR UPDATE
), locked AS MATERIALIZED (
    SELECT 1 FROM meter WHERE id = ANY (:meters) AND (SELECT count(*) FROM the_floor) >= 0
    ORDER BY id FOR UPDATE
)
SELECT count(*) FROM locked;

-- name: store_floor(writes)$
-- A whole batch, or nothing of it: every row that was read for a decision must still be as it was.
-- Rows are locked in one order (devices, the floor, meters, then the rest, each by id), so that two servers
-- wait for each other but never in a circle.
WITH given AS (
    SELECT :writes::jsonb AS g
), want_floor AS (
    SELECT (g ->> 'floor')::bigint AS expected FROM given WHERE g ->> 'floor' IS NOT NULL
), want_number AS (
    SELECT w.* FROM given, jsonb_to_recordset(g -> 'numbers')
        AS w (device_id text, epoch integer, expected bigint, last_number bigint)
), want_meter AS (
    SELECT w.* FROM given, jsonb_to_recordset(g -> 'meters') AS w (
        id text, expected bigint, training boolean, state text, option_number integer,
        seed_dollars integer, cost_cents integer, value_micros bigint, seq bigint, epoch bigint,
        base_micros bigint, credited bigint, reversed bigint, prizes bigint, transferred bigint,
        extra bigint, turnover bigint, head text, at timestamptz)
), want_row AS (
    SELECT w.* FROM given, jsonb_to_recordset(g -> 'rows') AS w (
        kind text, id text, expected bigint, table_id text, meter_id text, round_id text,
        state text, body jsonb)
), locked_number AS MATERIALIZED (
    SELECT d.device_id FROM device_number AS d JOIN want_number AS w
        ON d.device_id = w.device_id AND d.epoch = w.epoch AND d.last_number = w.expected
    ORDER BY d.device_id, d.epoch FOR UPDATE OF d
), locked_floor AS MATERIALIZED (
    SELECT 1 FROM floor AS f JOIN want_floor AS w ON f.version = w.expected
    WHERE (SELECT count(*) FROM locked_number) >= 0 FOR UPDATE OF f
), witnessed AS MATERIALIZED (
    -- A repeat to a person changes nothing; locking a row makes its commit wait for the standbys.
    SELECT 1 FROM floor AS f, given
    WHERE (g ->> 'repeats_to_people')::boolean AND (SELECT count(*) FROM locked_floor) >= 0
    FOR KEY SHARE OF f
), locked_meter AS MATERIALIZED (
    SELECT m.id FROM meter AS m JOIN want_meter AS w ON m.id = w.id AND m.seq = w.expected
    WHERE (SELECT count(*) FROM witnessed) >= 0
    ORDER BY m.id FOR UPDATE OF m
), locked_table AS MATERIALIZED (
    SELECT t.id FROM gaming_table AS t JOIN want_row AS w
        ON w.kind = 'table' AND t.id = w.id AND t.version = w.expected
    WHERE (SELECT count(*) FROM locked_meter) >= 0
    ORDER BY t.id FOR UPDATE OF t
), locked_round AS MATERIALIZED (
    SELECT r.id FROM round AS r JOIN want_row AS w
        ON w.kind = 'round' AND r.id = w.id AND r.version = w.expected
    WHERE (SELECT count(*) FROM locked_table) >= 0
    ORDER BY r.id FOR UPDATE OF r
), locked_award AS MATERIALIZED (
    SELECT a.id FROM award AS a JOIN want_row AS w
        ON w.kind = 'award' AND a.id = w.id AND a.version = w.expected
    WHERE (SELECT count(*) FROM locked_round) >= 0
    ORDER BY a.id FOR UPDATE OF a
), locked_notice AS MATERIALIZED (
    SELECT n.id FROM notice AS n JOIN want_row AS w
        ON w.kind = 'notice' AND n.id = w.id AND n.version = w.expected
    WHERE (SELECT count(*) FROM locked_award) >= 0
    ORDER BY n.id FOR UPDATE OF n
), verdict AS MATERIALIZED (
    SELECT
        (SELECT count(*) FROM locked_number) = (SELECT count(*) FROM want_number)
        AND (SELECT count(*) FROM locked_floor) = (SELECT count(*) FROM want_floor)
        AND (SELECT count(*) FROM locked_meter)
            = (SELECT count(*) FROM want_meter WHERE expected > 0)
        AND (SELECT count(*) FROM locked_table) + (SELECT count(*) FROM locked_round)
            + (SELECT count(*) FROM locked_award) + (SELECT count(*) FROM locked_notice)
            = (SELECT count(*) FROM want_row WHERE expected > 0) AS ok
), put_number AS (
    UPDATE device_number AS d SET last_number = w.last_number FROM want_number AS w, verdict
    WHERE ok AND d.device_id = w.device_id AND d.epoch = w.epoch
        AND w.last_number <> w.expected
), put_floor AS (
    UPDATE floor AS f SET version = w.expected + 1 FROM want_floor AS w, verdict WHERE ok
), new_meter AS (
    INSERT INTO meter
    SELECT id, training, state, option_number, seed_dollars, cost_cents, value_micros, seq, epoch,
        base_micros, credited, reversed, prizes, transferred, extra, turnover,
        decode(head, 'hex'), at
    FROM want_meter, verdict WHERE ok AND expected = 0
), put_meter AS (
    UPDATE meter AS m SET state = w.state, option_number = w.option_number,
        seed_dollars = w.seed_dollars, cost_cents = w.cost_cents, value_micros = w.value_micros,
        seq = w.seq, epoch = w.epoch, base_micros = w.base_micros, credited_micros = w.credited,
        reversed_micros = w.reversed, prizes_micros = w.prizes,
        transferred_micros = w.transferred, extra_micros = w.extra,
        turnover_micros = w.turnover, head = decode(w.head, 'hex'), at = w.at
    FROM want_meter AS w, verdict WHERE ok AND w.expected > 0 AND m.id = w.id
), new_table AS (
    INSERT INTO gaming_table (id, version, meter_id, body)
    SELECT id, 1, meter_id, body FROM want_row, verdict
    WHERE ok AND kind = 'table' AND expected = 0
), put_table AS (
    UPDATE gaming_table AS t SET version = w.expected + 1, meter_id = w.meter_id, body = w.body
    FROM want_row AS w, verdict WHERE ok AND w.kind = 'table' AND w.expected > 0 AND t.id = w.id
), new_round AS (
    INSERT INTO round (id, version, table_id, meter_id, state, body)
    SELECT id, 1, table_id, meter_id, state, body FROM want_row, verdict
    WHERE ok AND kind = 'round' AND expected = 0
), put_round AS (
    UPDATE round AS r SET version = w.expected + 1, state = w.state, body = w.body
    FROM want_row AS w, verdict WHERE ok AND w.kind = 'round' AND w.expected > 0 AND r.id = w.id
), new_award AS (
    INSERT INTO award (id, version, meter_id, round_id, state, body)
    SELECT id, 1, meter_id, round_id, state, body FROM want_row, verdict
    WHERE ok AND kind = 'award' AND expected = 0
), put_award AS (
    UPDATE award AS a SET version = w.expected + 1, state = w.state, body = w.body
    FROM want_row AS w, verdict WHERE ok AND w.kind = 'award' AND w.expected > 0 AND a.id = w.id
), new_notice AS (
    INSERT INTO notice (id, version, state, body)
    SELECT id, 1, state, body FROM want_row, verdict
    WHERE ok AND kind = 'notice' AND expected = 0
), put_notice AS (
    UPDATE notice AS n SET version = w.expected + 1, state = w.state, body = w.body
    FROM want_row AS w, verdict WHERE ok AND w.kind = 'notice' AND w.expected > 0 AND n.id = w.id
), new_entry AS (
    INSERT INTO entry (meter_id, seq, kind, amount_micros, before_micros, after_micros, epoch, at,
        table_id, round_id, message, body, previous, hash)
    SELECT w.meter_id, w.seq, w.kind, w.amount, w.before, w.after, w.epoch, w.at, w.table_id,
        w.round_id, w.message, convert_to(w.body, 'UTF8'), decode(w.previous, 'hex'),
        decode(w.hash, 'hex')
    FROM verdict, given, jsonb_to_recordset(g -> 'entries') AS w (
        meter_id text, seq bigint, kind text, amount bigint, before bigint, after bigint,
        epoch bigint, at timestamptz, table_id text, round_id text, message text, body text,
        previous text, hash text)
    WHERE ok
), new_request AS (
    -- The same request may come again by another way: it is kept once.
    INSERT INTO request (digest, body, key_id, signature_input, signature, at)
    SELECT decode(w.digest, 'hex'), decode(w.body, 'hex'), w.key_id, w.signature_input,
        w.signature, w.at
    FROM verdict, given, jsonb_to_recordset(g -> 'requests') AS w (
        digest text, body text, key_id text, signature_input text, signature text, at timestamptz)
    WHERE ok
    ON CONFLICT DO NOTHING
), new_message AS (
    INSERT INTO message (key, digest, at, answer, request)
    SELECT w.key, decode(w.digest, 'hex'), w.at, convert_to(w.answer, 'UTF8'),
        decode(w.request, 'hex')
    FROM verdict, given, jsonb_to_recordset(g -> 'messages') AS w (
        key text, digest text, at timestamptz, answer text, request text)
    WHERE ok
)
SELECT ok FROM verdict;
