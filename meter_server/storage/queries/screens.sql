-- name: offer_pairing(code, token, gateway_id, expires_at)!
-- A code that another screen shows already is left to it: the gateway makes a new one.
INSERT INTO pairing (code, token, gateway_id, expires_at)
VALUES (:code, :token, :gateway_id, :expires_at)
ON CONFLICT (token) DO UPDATE SET code = excluded.code, expires_at = excluded.expires_at;

-- name: forget_pairings(now)!
DELETE FROM pairing WHERE expires_at <= :now;

-- name: codes_taken(codes, now)
SELECT code, token FROM pairing WHERE code = ANY (:codes) AND expires_at > :now;

-- name: use_pairing(code, now)$
DELETE FROM pairing WHERE code = :code AND expires_at > :now RETURNING token;

-- name: find_screen(id)^
SELECT id, layout, table_id, meters, paired_by, paired_at, removed_at, gateway_id, seen_at, showing
FROM screen WHERE id = :id;

-- name: screens_page(after, page_rows)
SELECT id, layout, table_id, meters, paired_by, paired_at, removed_at, gateway_id, seen_at, showing
FROM screen WHERE id > :after AND removed_at IS NULL ORDER BY id LIMIT :page_rows;

-- name: roster()
SELECT id, token, layout, table_id, meters FROM screen WHERE removed_at IS NULL ORDER BY id;

-- name: tables_of_screens(names)
SELECT id, table_id FROM screen WHERE id = ANY(:names) AND removed_at IS NULL;

-- name: put_screen(id, token, layout, table_id, meters, paired_by, now)!
-- One that was removed may come back under its name; one that is there is not overwritten.
INSERT INTO screen (id, token, layout, table_id, meters, paired_by, paired_at)
VALUES (:id, :token, :layout, :table_id, :meters, :paired_by, :now)
ON CONFLICT (id) DO UPDATE SET token = excluded.token, layout = excluded.layout,
    table_id = excluded.table_id, meters = excluded.meters, paired_by = excluded.paired_by,
    paired_at = excluded.paired_at, removed_at = NULL, seen_at = NULL, showing = NULL
WHERE screen.removed_at IS NOT NULL;

-- name: replace_screen(id, token, paired_by, now)!
UPDATE screen SET token = :token, paired_by = :paired_by, paired_at = :now, seen_at = NULL, showing = NULL
WHERE id = :id AND removed_at IS NULL;

-- name: assign_screen(id, layout, table_id, meters)!
UPDATE screen SET layout = :layout, table_id = :table_id, meters = :meters, seen_at = NULL, showing = NULL
WHERE id = :id AND removed_at IS NULL;

-- name: remove_screen(id, now)!
UPDATE screen SET token = NULL, removed_at = :now WHERE id = :id AND removed_at IS NULL;

-- name: keep_seen(gateway_id, reports)!
UPDATE screen SET gateway_id = :gateway_id, seen_at = r.at, showing = r.showing
FROM jsonb_to_recordset(:reports::jsonb) AS r (screen text, at timestamptz, showing jsonb)
WHERE screen.id = r.screen AND removed_at IS NULL AND (seen_at IS NULL OR seen_at < r.at);

-- name: keep_displays(reports)!
WITH report AS (
    SELECT r.*, s.table_id FROM jsonb_to_recordset(:reports::jsonb) AS r (screen text, kind text,
        subject text, from_seq bigint, to_seq bigint, value_micros bigint, at timestamptz)
    JOIN screen AS s ON s.id = r.screen AND s.removed_at IS NULL
), growing AS (
    SELECT last.id, r.* FROM report AS r CROSS JOIN LATERAL (
        SELECT * FROM display AS d
        WHERE d.screen_id = r.screen AND d.kind = r.kind AND d.subject = r.subject
        ORDER BY d.to_at DESC LIMIT 1
    ) AS last
    WHERE r.at >= last.to_at AND r.at - last.to_at <= interval '30 seconds'
        AND last.table_id IS NOT DISTINCT FROM r.table_id
        AND (r.to_seq IS NOT DISTINCT FROM last.to_seq
            OR (r.to_seq > last.to_seq AND r.at - last.from_at <= interval '60 seconds'))
), grown AS (
    UPDATE display AS d SET to_at = g.at, to_seq = g.to_seq, value_micros = g.value_micros
    FROM growing AS g WHERE d.id = g.id
)
INSERT INTO display
    (screen_id, table_id, kind, subject, from_seq, to_seq, value_micros, from_at, to_at)
SELECT screen, table_id, kind, subject, least(from_seq, to_seq), to_seq, value_micros, at, at
FROM report AS r WHERE NOT EXISTS (
    SELECT FROM growing AS g WHERE (g.screen, g.kind, g.subject) = (r.screen, r.kind, r.subject)
);

-- name: forget_displays(before, rows_max)$
SELECT forget_displays(:before, :rows_max);

-- name: displays_page(screen_id, kind, subject, from_at, to_at, after, page_rows)
SELECT id, screen_id, table_id, kind, subject, from_seq, to_seq, value_micros, from_at, to_at
FROM display
WHERE id > :after
    AND (:screen_id::text IS NULL OR screen_id = :screen_id)
    AND (:kind::text IS NULL OR kind = :kind)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:from_at::timestamptz IS NULL OR to_at >= :from_at)
    AND (:to_at::timestamptz IS NULL OR from_at <= :to_at)
ORDER BY id LIMIT :page_rows;

-- name: notices_on_signs()
-- Of every notice that stands: when its text was last on a sign of each table that ever showed it.
SELECT n.body, d.table_id, max(d.to_at) AS last_at
FROM notice AS n LEFT JOIN display AS d
    ON d.kind = 'notice' AND d.subject = n.id AND d.table_id IS NOT NULL
WHERE n.state = 'drafted' GROUP BY n.id, d.table_id;

-- name: tables_without_display(since)
-- Tables of a system of which no sign has reported that it shows the system's meter.
SELECT t.id FROM gaming_table AS t
WHERE t.meter_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM screen AS s WHERE s.table_id = t.id AND s.removed_at IS NULL
        AND s.seen_at >= :since AND s.showing -> 'meters' ? t.meter_id
) ORDER BY t.id;
