-- name: forget_approvals(device_id, now)!
UPDATE approval SET ended_at = :now WHERE device_id = :device_id AND ended_at IS NULL;

-- name: ask_approval(device_id, table_id, action, role_key, asked_by, now, expires_at)$
INSERT INTO approval (device_id, table_id, action, role_key, asked_by, asked_at, expires_at)
VALUES (:device_id, :table_id, :action, :role_key, :asked_by, :now, :expires_at)
RETURNING id;

-- name: approval(id)^
SELECT approval.id, device_id, table_id, action, role_key, role.title, role.level, asked_by, asked_at,
    expires_at, ended_at, ended_by, grant_id
FROM approval JOIN role ON role.key = role_key
WHERE approval.id = :id
FOR UPDATE OF approval;

-- name: waiting_approvals(now)
-- The longest waiting first.
SELECT approval.id, device_id, table_id, action, role_key, role.title, role.level, asked_by, asked_at,
    expires_at, ended_at, ended_by, grant_id
FROM approval JOIN role ON role.key = role_key
WHERE ended_at IS NULL AND expires_at > :now
ORDER BY approval.id;

-- name: end_approval(id, ended_by, grant_id, now)!
UPDATE approval SET ended_at = :now, ended_by = :ended_by, grant_id = :grant_id
WHERE id = :id AND ended_at IS NULL;
