-- name: find_mark(subject)^
SELECT place, state FROM check_mark WHERE subject = :subject;

-- name: write_mark(subject, place, state)!
-- A mark never goes back: of two checks at once the one that came further counts.
INSERT INTO check_mark (subject, place, state) VALUES (:subject, :place, :state)
ON CONFLICT (subject) DO UPDATE SET place = excluded.place, state = excluded.state
WHERE check_mark.place <= excluded.place;

-- name: try_to_check_alone(lock)$
SELECT pg_try_advisory_lock(:lock);

-- name: let_others_check(lock)$
SELECT pg_advisory_unlock(:lock);
