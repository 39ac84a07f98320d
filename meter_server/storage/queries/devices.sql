-- name: find_device(id)^
SELECT id, kind, table_id, epoch, state, reason, enrolled_at FROM device WHERE id = :id;

-- name: lock_device(id)^
SELECT id, kind, table_id, epoch, state, reason, enrolled_at FROM device WHERE id = :id FOR UPDATE;

-- name: devices_page(after, page_rows)
SELECT id, kind, table_id, epoch, state, reason, enrolled_at
FROM device WHERE id > :after ORDER BY id LIMIT :page_rows;

-- name: find_device_keys(key_ids)
-- With whoever stands at the device's console now.
SELECT d.id, d.kind, d.table_id, d.epoch, d.state, d.reason, d.enrolled_at,
    k.id, k.public_key, k.epoch, k.valid_from, k.valid_to,
    staff.number, staff.name, role.key, role.title, role.level, staff.state, staff.created_at
FROM device_key AS k
JOIN device AS d ON d.id = k.device_id
LEFT JOIN LATERAL (
    SELECT staff_number FROM console_sign_on WHERE device_id = d.id ORDER BY id DESC LIMIT 1
) AS latest ON true
LEFT JOIN staff ON staff.number = latest.staff_number
LEFT JOIN role ON role.key = staff.role_key
WHERE k.id = ANY (:key_ids);

-- name: offer_enrolment(device_id, kind, table_id, proposal_id, code_digest, expires_at)!
INSERT INTO enrolment (device_id, kind, table_id, proposal_id, code_digest, expires_at)
VALUES (:device_id, :kind, :table_id, :proposal_id, :code_digest, :expires_at)
ON CONFLICT (device_id) DO UPDATE SET kind = excluded.kind, table_id = excluded.table_id,
    proposal_id = excluded.proposal_id, code_digest = excluded.code_digest,
    expires_at = excluded.expires_at;

-- name: use_enrolment(device_id, code_digest, now)^
DELETE FROM enrolment
WHERE device_id = :device_id AND code_digest = :code_digest AND expires_at > :now
RETURNING kind, table_id;

-- name: withdraw_enrolment(device_id)!
DELETE FROM enrolment WHERE device_id = :device_id;

-- name: put_device(id, kind, table_id, now)$
-- A device that was here before begins its next epoch.
INSERT INTO device (id, kind, table_id, epoch, state, enrolled_at)
VALUES (:id, :kind, :table_id, 1, 'enrolled', :now)
ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, table_id = excluded.table_id,
    epoch = device.epoch + 1, state = 'enrolled', reason = NULL, enrolled_at = excluded.enrolled_at
RETURNING epoch;

-- name: begin_numbers(device_id, epoch)!
INSERT INTO device_number (device_id, epoch, last_number) VALUES (:device_id, :epoch, 0);

-- name: last_number(device_id, epoch)$
SELECT last_number FROM device_number WHERE device_id = :device_id AND epoch = :epoch;

-- name: add_device_key(key_id, public_key, device_id, epoch, now, valid_to)!
INSERT INTO device_key (id, public_key, device_id, epoch, valid_from, valid_to)
VALUES (:key_id, :public_key, :device_id, :epoch, :now, :valid_to)
ON CONFLICT DO NOTHING;

-- name: shorten_device_keys(device_id, but, valid_to)!
UPDATE device_key SET valid_to = greatest(valid_from, :valid_to)
WHERE device_id = :device_id AND id <> :but AND valid_to > :valid_to;

-- name: keep_device_out(id, state, reason)!
UPDATE device SET state = :state, reason = :reason WHERE id = :id;

-- name: beat_device(device_id, now)!
INSERT INTO device_heartbeat (device_id, at) VALUES (:device_id, :now)
ON CONFLICT (device_id) DO UPDATE SET at = excluded.at;

-- name: keeps_receipt(message, digest, meter_id, seq, head)$
-- Whether what a receipt names is still here: the message, and the entry its meter stood at.
SELECT EXISTS (SELECT FROM message WHERE key = :message AND digest = :digest)
    AND (:meter_id::text IS NULL OR EXISTS (
        SELECT FROM entry WHERE meter_id = :meter_id AND seq = :seq AND hash = :head
    ));

-- name: lock_agents_of_table(table_id, also)
-- In the order of names, so that two tablets that want one table wait for each other in turn.
SELECT id, kind, table_id, epoch, state, reason, enrolled_at
FROM device WHERE table_id = :table_id OR id = :also ORDER BY id FOR UPDATE;

-- name: move_device(id, table_id)!
UPDATE device SET table_id = :table_id WHERE id = :id;
