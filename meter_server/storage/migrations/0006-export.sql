-- What an export reads, for auditors and for the server alike: one way to read it.
CREATE VIEW device_numbers_for_audit AS SELECT * FROM device_number;
GRANT SELECT ON device_numbers_for_audit TO prize_meter_audit;
GRANT SELECT ON journal_for_audit, messages_for_audit, meters_for_audit, device_keys_for_audit,
    device_numbers_for_audit, requests_for_audit TO prize_meter_app;
