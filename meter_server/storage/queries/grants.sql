-- name: sign_on(device_id, table_id, number, at)!
INSERT INTO console_sign_on (device_id, table_id, staff_number, at)
VALUES (:device_id, :table_id, :number, :at);

-- name: signed_on(device_id)^
SELECT number, name, role.key, role.title, role.level, state, created_at
FROM (
    SELECT staff_number FROM console_sign_on
    WHERE device_id = :device_id ORDER BY id DESC LIMIT 1
) AS latest
JOIN staff ON number = staff_number
JOIN role ON role.key = role_key;

-- name: has_signed_on(device_id, number)^
SELECT number, name, role.key, role.title, role.level, state, created_at
FROM staff JOIN role ON role.key = role_key
WHERE number = :number AND EXISTS (
    SELECT FROM console_sign_on WHERE device_id = :device_id AND staff_number = :number
);

-- name: give_grant(id, number, role_key, device_id, table_id, action, now, expires_at)!
INSERT INTO authority_grant
    (id, staff_number, role_key, device_id, table_id, action, given_at, expires_at)
VALUES (:id, :number, :role_key, :device_id, :table_id, :action, :now, :expires_at);

-- name: use_grant(id, device_id, table_id, actions, message, now)^
-- The first message uses the grant up. The same message sent again, because its answer was lost,
-- finds it still standing behind it; no other message ever does.
UPDATE authority_grant AS g
SET used_at = coalesce(g.used_at, :now), used_for = :message
FROM staff JOIN role ON role.key = role_key
WHERE g.id = :id AND g.device_id = :device_id AND g.table_id = :table_id
    AND g.action = ANY (:actions)
    AND staff.number = g.staff_number
    AND NOT EXISTS (SELECT FROM authority_grant AS o WHERE o.used_for = :message AND o.id <> g.id)
    AND (g.used_for = :message OR (
        g.used_for IS NULL AND g.expires_at > :now AND staff.state = 'active'
    ))
RETURNING staff.number, staff.name, role.key, role.title, role.level, staff.state,
    staff.created_at;
