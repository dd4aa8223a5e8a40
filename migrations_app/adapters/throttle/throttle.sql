-- name: load
SELECT count(*) FILTER (WHERE state = 'active' AND pid <> pg_backend_pid()),
    count(*) FILTER (WHERE wait_event IN ('WALSync', 'WALWrite', 'SyncRep')),
    coalesce(extract(epoch FROM max(clock_timestamp() - query_start)
        FILTER (WHERE wait_event = 'SyncRep')), 0)
FROM pg_stat_activity WHERE backend_type = 'client backend'

-- name: commit
-- A commit of its own that waits for the disk like any client's, and leaves nothing but this word in the log.
SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'switchyard', '')
