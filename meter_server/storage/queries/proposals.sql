-- name: add_proposal(id, action, body, by, now, expires_at)!
INSERT INTO proposal (id, action, body, state, proposed_by, proposed_at, expires_at)
VALUES (:id, :action, :body, 'proposed', :by, :now, :expires_at);

-- name: find_proposal(id)^
SELECT id, action, body, state, proposed_by, proposed_at, expires_at, confirmed_by, rejected_by,
    decided_at, reason, result
FROM proposal WHERE id = :id;

-- name: proposals_page(state, after, page_rows)
SELECT id, action, body, state, proposed_by, proposed_at, expires_at, confirmed_by, rejected_by,
    decided_at, reason, result
FROM proposal
WHERE (:state::text IS NULL OR state = :state) AND id > :after ORDER BY id LIMIT :page_rows;

-- name: lapse_proposals(now)!
UPDATE proposal SET state = 'lapsed' WHERE state = 'proposed' AND expires_at <= :now;

-- name: claim_proposal(id, by, now)!
-- Of all who confirm or reject at once, one moves it out of its first state. Whoever confirmed it may
-- come again while it has no result: the carrying out was interrupted.
UPDATE proposal
SET state = 'confirmed', confirmed_by = :by, decided_at = coalesce(decided_at, :now)
WHERE id = :id AND proposed_by <> :by AND (
    (state = 'proposed' AND expires_at > :now)
    OR (state = 'confirmed' AND result IS NULL AND confirmed_by = :by)
);

-- name: lock_confirmed_proposal(id)^
-- Inside a transaction: only one carries it out, and only while nobody has.
SELECT id FROM proposal WHERE id = :id AND state = 'confirmed' AND result IS NULL FOR UPDATE;

-- name: finish_proposal(id, result)!
UPDATE proposal SET result = :result WHERE id = :id;

-- name: refuse_proposal(id, reason)!
UPDATE proposal SET state = 'refused', reason = :reason
WHERE id = :id AND state = 'confirmed' AND result IS NULL;

-- name: reject_proposal(id, by, reason, now)!
UPDATE proposal SET state = 'rejected', rejected_by = :by, reason = :reason, decided_at = :now
WHERE id = :id AND state = 'proposed' AND expires_at > :now;
