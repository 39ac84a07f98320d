-- name: call(table_id, device_id, role_key, reason, called_by, now)$
-- The open call of this rank at this table; a second one is the first.
INSERT INTO floor_call (table_id, device_id, role_key, reason, called_by, called_at)
VALUES (:table_id, :device_id, :role_key, :reason, :called_by, :now)
ON CONFLICT (table_id, role_key) WHERE ended_at IS NULL
    DO UPDATE SET reason = excluded.reason
RETURNING id;

-- name: open_calls(only)
-- The longest waiting first; a single one, where it is named.
SELECT floor_call.id, table_id, role.key, role.title, role.level, reason, called_by, called_at,
    coming_by, staff.name
FROM floor_call
JOIN role ON role.key = floor_call.role_key
LEFT JOIN staff ON staff.number = coming_by
WHERE ended_at IS NULL
    AND (:only::bigint IS NULL OR floor_call.id = :only)
ORDER BY floor_call.id;

-- name: come_to_call(id, coming_by, now)!
-- The first who says so; again is no other.
UPDATE floor_call SET coming_by = :coming_by, coming_at = :now
WHERE id = :id AND ended_at IS NULL AND (coming_by IS NULL OR coming_by = :coming_by);

-- name: end_call(id, table_id, ended_by, now)!
UPDATE floor_call SET ended_at = :now, ended_by = :ended_by
WHERE id = :id AND ended_at IS NULL AND (:table_id::text IS NULL OR table_id = :table_id);

-- name: ranks()
SELECT key FROM role WHERE level IS NOT NULL ORDER BY level;
