-- name: add_winner(digest, prize_id, salt, details, by, now)!
INSERT INTO winner (digest, prize_id, salt, details, noted_by, noted_at)
VALUES (:digest, :prize_id, :salt, :details, :by, :now);

-- name: find_winner(prize_id)^
-- The details as they were last taken down.
SELECT digest, salt, details, noted_by, noted_at FROM winner
WHERE prize_id = :prize_id ORDER BY noted_at DESC, digest LIMIT 1;
