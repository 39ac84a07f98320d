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

-- name: export_idle_requests(since, until)
-- Requests that brought no message: there should be none.
SELECT r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM requests_for_audit AS r
WHERE (:since::timestamptz IS NULL OR r.at >= :since)
    AND (:until::timestamptz IS NULL OR r.at < :until)
    AND NOT EXISTS (SELECT FROM messages_for_audit AS m WHERE m.request = r.digest)
ORDER BY r.at, r.digest;

-- name: export_messages_without_entries(since, until)
SELECT m.key, m.digest, m.at, m.answer, m.request,
    r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM messages_for_audit AS m LEFT JOIN requests_for_audit AS r ON r.digest = m.request
WHERE (:since::timestamptz IS NULL OR m.at >= :since)
    AND (:until::timestamptz IS NULL OR m.at < :until)
    AND NOT EXISTS (SELECT FROM journal_for_audit AS e WHERE e.message = m.key)
ORDER BY m.at, m.request, m.key COLLATE "C";

-- name: export_messages_of_several_meters(since, until)
SELECT message FROM journal_for_audit
WHERE (:since::timestamptz IS NULL OR at >= :since)
    AND (:until::timestamptz IS NULL OR at < :until)
GROUP BY message HAVING count(DISTINCT meter_id) > 1;

-- name: export_start(meter, since)
-- What a chain goes on from where a part of it is exported: its last terms, and its last entry.
SELECT seq, kind, amount_micros, before_micros, after_micros, epoch, at, table_id, round_id,
    message, body, previous, hash
FROM journal_for_audit AS e
WHERE meter_id = :meter AND seq IN (
    (SELECT max(seq) FROM journal_for_audit
        WHERE meter_id = :meter AND at < :since AND kind IN ('opening', 'change')),
    (SELECT max(seq) FROM journal_for_audit WHERE meter_id = :meter AND at < :since))
ORDER BY seq;

-- name: export_entries(meter, since, until)
SELECT e.seq, e.kind, e.amount_micros, e.before_micros, e.after_micros, e.epoch, e.at, e.table_id,
    e.round_id, e.message, e.body, e.previous, e.hash,
    m.key, m.digest, m.at, m.answer, m.request,
    r.digest, r.body, r.key_id, r.signature_input, r.signature, r.at
FROM journal_for_audit AS e
    LEFT JOIN messages_for_audit AS m ON m.key = e.message
    LEFT JOIN requests_for_audit AS r ON r.digest = m.request
WHERE e.meter_id = :meter
    AND (:since::timestamptz IS NULL OR e.at >= :since)
    AND (:until::timestamptz IS NULL OR e.at < :until)
ORDER BY e.seq;
