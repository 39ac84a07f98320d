-- name: schedule_change(notice_id, scheduled_by, now)!
INSERT INTO scheduled_change (notice_id, scheduled_by, scheduled_at)
VALUES (:notice_id, :scheduled_by, :now)
ON CONFLICT (notice_id) DO UPDATE
    SET scheduled_by = excluded.scheduled_by, scheduled_at = excluded.scheduled_at;

-- name: scheduled_changes()
SELECT c.notice_id, c.scheduled_by, c.attempts, c.last_answer, c.attempted_at FROM scheduled_change AS c
JOIN notice AS n ON n.id = c.notice_id WHERE n.state = 'drafted' ORDER BY c.notice_id;

-- name: attempted_change(notice_id, attempts, last_answer, now)!
UPDATE scheduled_change
SET attempts = :attempts, last_answer = :last_answer, attempted_at = :now
WHERE notice_id = :notice_id AND attempts < :attempts;

-- name: state_of_notice(notice_id)$
SELECT state FROM notice WHERE id = :notice_id;
