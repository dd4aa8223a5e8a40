-- name: state
SELECT active_version, mode, epoch, clock_timestamp(), freeze_deadline, frozen_at, freeze_end, reverse_start,
    parity_epoch, freeze_milliseconds
FROM switchyard.fence WHERE deployment = %s

-- name: exists
SELECT to_regclass('switchyard.fence') IS NOT NULL

-- name: watch
SELECT pg_advisory_lock_shared(%s)

-- name: orphaned
SELECT pg_try_advisory_xact_lock(%s)

-- name: unwatch
SELECT pg_advisory_unlock_shared(%s)

-- name: open_first
INSERT INTO switchyard.fence (deployment, active_version, mode, epoch) VALUES (%s, %s, %s, 1)
ON CONFLICT (deployment) DO NOTHING

-- name: impatient
SELECT set_config('lock_timeout', %s, true), set_config('synchronous_commit', 'on', true)

-- name: drain
SELECT pg_advisory_xact_lock(%s)

-- name: freeze
UPDATE switchyard.fence SET
    mode = 'FROZEN', epoch = epoch + 1, frozen_at = clock_timestamp(),
    freeze_deadline = clock_timestamp() + make_interval(secs => %(seconds)s),
    freeze_end = (
        SELECT jsonb_object_agg(s.shard, coalesce(last.position, '0.0'))
        FROM generate_series(0, %(ring)s - 1) s(shard)
        LEFT JOIN LATERAL (
            SELECT xid::text || '.' || seq AS position FROM {schema}.change c
            WHERE c.shard = s.shard ORDER BY xid DESC, seq DESC LIMIT 1
        ) last ON true),
    parity_epoch = NULL, freeze_milliseconds = NULL, changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'OPEN'
    AND active_version = %(active)s AND epoch = %(epoch)s

-- name: durable
SELECT set_config('synchronous_commit', 'on', true)

-- name: withdraw
UPDATE switchyard.fence SET epoch = epoch + 1, changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'OPEN'
    AND active_version = %(active)s AND epoch = %(epoch)s

-- name: prove
UPDATE switchyard.fence SET parity_epoch = epoch, changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'FROZEN'
    AND active_version = %(active)s AND epoch = %(epoch)s AND freeze_deadline > clock_timestamp()

-- name: flip
UPDATE switchyard.fence SET
    mode = %(becomes)s, active_version = %(target)s, epoch = epoch + 1,
    reverse_start = pg_snapshot_xmin(pg_current_snapshot())::text || '.0',
    freeze_milliseconds = extract(epoch FROM clock_timestamp() - frozen_at) * 1000,
    freeze_deadline = NULL, changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'FROZEN'
    AND active_version = %(active)s AND epoch = %(epoch)s
    AND parity_epoch = epoch AND freeze_deadline > clock_timestamp()
    AND NOT EXISTS (
        SELECT FROM jsonb_each_text(freeze_end) last
        LEFT JOIN {schema}.cursor c ON c.follower = %(follower)s AND c.shard = last.key::integer
            AND c.epoch = fence.epoch AND NOT c.dead
        WHERE (c.reached_xid, c.reached_seq) >= (split_part(last.value, '.', 1)::xid8,
            split_part(last.value, '.', 2)::bigint) IS NOT TRUE)

-- name: laggards
SELECT last.key::integer
FROM switchyard.fence f CROSS JOIN LATERAL jsonb_each_text(f.freeze_end) last
LEFT JOIN {schema}.cursor c ON c.follower = %(follower)s AND c.shard = last.key::integer
    AND c.epoch = f.epoch AND NOT c.dead
WHERE f.deployment = %(deployment)s AND ((c.reached_xid, c.reached_seq) >= (
    split_part(last.value, '.', 1)::xid8, split_part(last.value, '.', 2)::bigint)) IS NOT TRUE
ORDER BY 1

-- name: abort
UPDATE switchyard.fence SET
    mode = 'OPEN', epoch = epoch + 1, freeze_deadline = NULL, parity_epoch = NULL,
    freeze_milliseconds = extract(epoch FROM clock_timestamp() - frozen_at) * 1000,
    changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'FROZEN'
    AND active_version = %(active)s AND epoch = %(epoch)s
    AND (NOT %(expired)s OR freeze_deadline <= clock_timestamp())

-- name: open_other
UPDATE switchyard.fence SET
    mode = 'OPEN', active_version = %(target)s, epoch = greatest(epoch, %(closed)s) + 1,
    reverse_start = pg_snapshot_xmin(pg_current_snapshot())::text || '.0', changed_at = clock_timestamp()
WHERE deployment = %(deployment)s AND mode = %(mode)s AND mode = 'CLOSED'
    AND active_version = %(active)s AND epoch = %(epoch)s
