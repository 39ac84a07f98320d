-- name: notices_page(state, after, page_rows)
SELECT id FROM notice
WHERE (:state::text IS NULL OR state = :state) AND id > :after ORDER BY id LIMIT :page_rows;
