-- Everything is read from the auditors' views: the export works in their log-in, which writes nothing.

-- name: export_moment()$
SELECT now();

-- name: export_keys()
SELECT id, public_key, device_id, epoch, valid_from, valid_to
FROM device_keys_for_audit ORDER BY device_id COLLATE "C", epoch, valid_from, id;

-- name: export_numbers()
SELECT device_id, epoch, last_number
FROM device_numbers_for_audit ORDER BY device_id COLLATE "C", epoch;

-- name: export_meters()
SELECT id, training, state, option_number, seed_dollars, cost_cents, value_micros, seq, epoch,
    base_micros, credited_micros, reversed_micros, prizes_micros, transferred_micros, extra_micros,
    turnover_micros, head, at
FROM meters_for_audit ORDER BY id COLLATE "C";

-- name: export_checkpoints()
SELECT number, note, messages FROM checkpoints_for_audit
ORDER BY number;

-- name: export_idle_requests()
-- Requests that brought no message: there should be none.
SELECT r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM requests_for_audit AS r
WHERE NOT EXISTS (SELECT FROM messages_for_audit AS m WHERE m.request = r.digest)
ORDER BY r.at, r.digest;

-- name: export_messages_without_entries()
SELECT m.key, m.digest, m.at, m.answer, m.request,
    r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM messages_for_audit AS m LEFT JOIN requests_for_audit AS r ON r.digest = m.request
WHERE NOT EXISTS (SELECT FROM journal_for_audit AS e WHERE e.message = m.key)
ORDER BY m.at, m.request, m.key COLLATE "C";

-- name: export_messages_of_several_meters()
SELECT message FROM journal_for_audit
GROUP BY message HAVING count(DISTINCT meter_id) > 1;

-- name: export_entries(meter)
SELECT e.seq, e.kind, e.amount_micros, e.before_micros, e.after_micros, e.epoch, e.at, e.table_id,
    e.round_id, e.message, e.body, e.previous, e.hash,
    m.key, m.digest, m.at, m.answer, m.request,
    r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM journal_for_audit AS e
    LEFT JOIN messages_for_audit AS m ON m.key = e.message
    LEFT JOIN requests_for_audit AS r ON r.digest = m.request
WHERE e.meter_id = :meter
ORDER BY e.seq;
