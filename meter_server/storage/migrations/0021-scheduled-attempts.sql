-- When a scheduled change was last tried: one that is refused is not tried again at once.
ALTER TABLE scheduled_change ADD COLUMN attempted_at timestamptz;
CREATE OR REPLACE VIEW scheduled_changes_for_audit AS SELECT * FROM scheduled_change;
