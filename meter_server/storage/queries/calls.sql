-- name: call(table_id, device_id, role_key, reason, called_by, now)^
-- The open call of this rank at this table; a second one is the first.
INSERT INTO floor_call (table_id, device_id, role_key, reason, called_by, called_at)
VALUES (:table_id, :device_id, :role_key, :reason, :called_by, :now)
ON CONFLICT (table_id, role_key) WHERE ended_at IS NULL
    DO UPDATE SET reason = excluded.reason
RETURNING id, table_id, role_key, (SELECT title FROM role WHERE key = role_key), reason, called_by,
    called_at;

-- name: open_calls(only)
-- The longest waiting first; `only` names a single table.
SELECT floor_call.id, table_id, role_key, role.title, reason, called_by, called_at
FROM floor_call JOIN role ON role.key = role_key
WHERE ended_at IS NULL AND (:only::text IS NULL OR table_id = :only)
ORDER BY floor_call.id;

-- name: end_call(id, table_id, ended_by, now)!
UPDATE floor_call SET ended_at = :now, ended_by = :ended_by
WHERE id = :id AND ended_at IS NULL AND (:table_id::text IS NULL OR table_id = :table_id);

-- name: ranks()
SELECT key FROM role WHERE level IS NOT NULL ORDER BY level;
