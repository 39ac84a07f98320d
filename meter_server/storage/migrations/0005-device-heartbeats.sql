-- When each device was last heard, by the server's time.
CREATE TABLE device_heartbeat (
    device_id text PRIMARY KEY REFERENCES device,
    at timestamptz NOT NULL
);
CREATE VIEW device_heartbeats_for_audit AS SELECT * FROM device_heartbeat;

GRANT SELECT, INSERT, UPDATE ON device_heartbeat TO prize_meter_app;
GRANT SELECT ON device_heartbeats_for_audit TO prize_meter_audit;
