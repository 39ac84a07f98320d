-- name: find_staff(number)^
SELECT number, name, role.key, role.title, role.level, state, created_at
FROM staff JOIN role ON role.key = role_key WHERE number = :number;

-- name: lock_staff(number)^
-- Whoever changes a person reads them first: nobody else may change them in between.
SELECT number, name, role.key, role.title, role.level, state, created_at
FROM staff JOIN role ON role.key = role_key WHERE number = :number FOR UPDATE OF staff;

-- name: staff_page(after, page_rows)
SELECT number, name, role.key, role.title, role.level, state, created_at
FROM staff JOIN role ON role.key = role_key
WHERE number > :after ORDER BY number LIMIT :page_rows;

-- name: staff_secrets(number)^
SELECT password_hash, pin_hash FROM staff WHERE number = :number;

-- name: staff_number_of_card(digest)$
SELECT number FROM staff WHERE card_digest = :digest;

-- name: find_role(key)^
SELECT key, title, level FROM role WHERE key = :key;

-- name: all_roles()
SELECT key, title, level FROM role ORDER BY level NULLS LAST, key;

-- name: wait_for_other_first_accounts(lock)^
SELECT pg_advisory_xact_lock(:lock);

-- name: role_is_held(role_key)$
SELECT EXISTS (SELECT FROM staff WHERE role_key = :role_key);

-- name: rank_is_held(level)$
SELECT EXISTS (SELECT FROM staff JOIN role ON role.key = role_key WHERE role.level >= :level);

-- name: add_staff(number, name, role_key, at)!
INSERT INTO staff (number, name, role_key, state, created_at)
VALUES (:number, :name, :role_key, 'active', :at) ON CONFLICT DO NOTHING;

-- name: change_role(number, role_key)!
UPDATE staff SET role_key = :role_key WHERE number = :number;

-- name: change_state(number, state)!
UPDATE staff SET state = :state WHERE number = :number;

-- name: change_password(number, password_hash)!
UPDATE staff SET password_hash = :password_hash WHERE number = :number;

-- name: change_pin(number, pin_hash)!
UPDATE staff SET pin_hash = :pin_hash WHERE number = :number;

-- name: take_card(digest)!
UPDATE staff SET card_digest = NULL WHERE card_digest = :digest;

-- name: change_card(number, digest)!
UPDATE staff SET card_digest = :digest WHERE number = :number;

-- name: invite(number, code_digest, expires_at)!
INSERT INTO invitation (staff_number, code_digest, expires_at)
VALUES (:number, :code_digest, :expires_at)
ON CONFLICT (staff_number) DO UPDATE
SET code_digest = excluded.code_digest, expires_at = excluded.expires_at;

-- name: use_invitation(number, code_digest, now)!
-- Of two who answer one invitation at once, one finds it gone.
DELETE FROM invitation
WHERE staff_number = :number AND code_digest = :code_digest AND expires_at > :now;

-- name: take_attempt(number, place, now, free, delay_max)$
-- An attempt is counted before it is judged, so that many guesses at once are still many guesses.
-- Nothing comes back while the delay, which doubles with each failure, is not over.
INSERT INTO failed_attempt AS known (staff_number, place, failures, last_at)
VALUES (:number, :place, 1, :now)
ON CONFLICT (staff_number, place) DO UPDATE
SET failures = known.failures + 1, last_at = greatest(known.last_at, excluded.last_at)
WHERE known.failures < :free OR excluded.last_at >= known.last_at + least(
    make_interval(secs => 2 ^ least(known.failures - :free, 30)), :delay_max
)
RETURNING failures;

-- name: attempt_wait(number, place, now, free, delay_max)$
-- How long until the next attempt is listened to.
SELECT last_at + least(make_interval(secs => 2 ^ least(failures - :free, 30)), :delay_max) - :now
FROM failed_attempt WHERE staff_number = :number AND place = :place;

-- name: forget_attempts(number, place)!
DELETE FROM failed_attempt WHERE staff_number = :number AND place = :place;

-- name: forget_old_attempts(before)!
DELETE FROM failed_attempt WHERE last_at < :before;
