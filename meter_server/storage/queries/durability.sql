-- name: durability()^
SELECT current_setting('synchronous_commit'), current_setting('fsync');
