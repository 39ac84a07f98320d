-- What the check of the books reads: the journal page by page, in its order.

-- name: books_meters()
SELECT id FROM meter ORDER BY id COLLATE "C";

-- name: books_page(meter, after, page_rows)
SELECT seq, kind, amount_micros, before_micros, after_micros, epoch, at, table_id, round_id, message,
    body, previous, hash
FROM entry WHERE meter_id = :meter AND seq > :after ORDER BY seq LIMIT :page_rows;

-- name: books_standing(meter)^
-- A meter's row and its last entry, as one snapshot: the writer may be at work.
SELECT m.seq, m.value_micros, m.epoch, m.head, m.at, e.seq, e.after_micros, e.epoch, e.hash, e.at
FROM meter AS m LEFT JOIN LATERAL (
    SELECT seq, after_micros, epoch, hash, at FROM entry
    WHERE meter_id = m.id ORDER BY seq DESC LIMIT 1
) AS e ON true
WHERE m.id = :meter;
