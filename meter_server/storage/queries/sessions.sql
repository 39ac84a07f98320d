-- name: begin_session(token_digest, number, address, now, expires_at)!
INSERT INTO session (token_digest, staff_number, address, created_at, seen_at, expires_at)
VALUES (:token_digest, :number, :address, :now, :now, :expires_at);

-- name: find_session(token_digest, now, seen_after)^
-- The person as they are now: a role taken away is gone with the next request.
SELECT number, name, role.key, role.title, role.level, state, staff.created_at, seen_at, expires_at
FROM session
JOIN staff ON number = staff_number
JOIN role ON role.key = role_key
WHERE token_digest = :token_digest AND expires_at > :now AND seen_at > :seen_after
    AND state = 'active';

-- name: see_session(token_digest, now)!
UPDATE session SET seen_at = greatest(seen_at, :now) WHERE token_digest = :token_digest;

-- name: end_session(token_digest)$
DELETE FROM session WHERE token_digest = :token_digest RETURNING staff_number;

-- name: end_sessions_of(number)!
DELETE FROM session WHERE staff_number = :number;

-- name: end_dead_sessions(now, seen_after)!
DELETE FROM session WHERE expires_at <= :now OR seen_at <= :seen_after;
