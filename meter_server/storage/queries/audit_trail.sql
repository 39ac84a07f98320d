-- name: add_to_trail(at, tag, person, device, address, request_id, subject, before, after, reason)!
INSERT INTO audit_trail
    (at, tag, person, device, address, request_id, subject, before, after, allowed, reason)
VALUES (:at, :tag, :person, :device, :address, :request_id, :subject, :before, :after,
    :reason::text IS NULL, :reason);

-- name: trail_page(after, page_rows)
SELECT id, at, tag, person, device, address, request_id, subject, before, after, reason
FROM audit_trail WHERE id > :after ORDER BY id LIMIT :page_rows;
