-- name: record_heartbeat(worker)!
-- Recording the same beat twice leaves the same row: a task may be delivered again.
INSERT INTO heartbeat (worker) VALUES (:worker)
ON CONFLICT (worker) DO UPDATE SET beat_at = greatest(heartbeat.beat_at, excluded.beat_at);

-- name: latest_heartbeat()^
SELECT worker, clock_timestamp() - beat_at AS age FROM heartbeat ORDER BY beat_at DESC LIMIT 1;
