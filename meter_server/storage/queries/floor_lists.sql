-- name: systems_page(after, only, page_rows)
-- The systems in the order of their names, each with its tables; `only` names a single one.
SELECT
    meter.id, meter.training, meter.state, meter.option_number, meter.seed_dollars,
    meter.cost_cents, meter.value_micros, meter.seq, meter.at,
    ARRAY(SELECT id FROM gaming_table WHERE meter_id = meter.id ORDER BY id) AS tables
FROM meter
WHERE meter.id > :after AND (:only::text IS NULL OR meter.id = :only)
ORDER BY meter.id
LIMIT :page_rows;

-- name: tables_page(after, only, page_rows)
-- The tables in the order of their names, and whether they play for training.
SELECT gaming_table.body, coalesce(meter.training, false)
FROM gaming_table LEFT JOIN meter ON meter.id = gaming_table.meter_id
WHERE gaming_table.id > :after AND (:only::text IS NULL OR gaming_table.id = :only)
ORDER BY gaming_table.id
LIMIT :page_rows;
