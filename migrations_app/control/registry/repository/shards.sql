-- name: keep
INSERT INTO switchyard_shardstate AS known
    (deployment_id, ring, shard, upgrade, state, stage, copied, total, applied, failed, position,
     lag_seconds, rate_per_second, error, throttled, lease_holder, lease_epoch, leased_until, reported_at)
SELECT running.deployment,
       CASE WHEN place.direction = 'reverse' THEN coalesce(running.target_shard_count, running.ring) ELSE running.ring END,
       report.shard, running.id, report.state, report.stage,
       report.copied, report.total, report.applied, report.failed,
       coalesce(nullif(concat_ws('/', nullif(place.type, ''), nullif(place.name, '')), ''), ''),
       greatest(report.lag_seconds, 0), greatest(report.rate_per_second, 0), report.error, report.throttled,
       CASE WHEN work.leased_until IS NULL THEN '' ELSE coalesce(work.holder, '') END,
       coalesce(work.epoch, 0),
       CASE WHEN coalesce(work.holder, '') = '' THEN NULL ELSE work.leased_until END,
       report.reported_at
FROM switchyard_upgradeshard AS report
JOIN switchyard_upgrade AS running ON running.id = report.upgrade_id
JOIN switchyard_deployment AS deployment ON deployment.name = running.deployment
LEFT JOIN LATERAL (
    SELECT type, name, direction FROM switchyard_synccheckpoint
    WHERE upgrade = report.upgrade_id AND shard = report.shard ORDER BY updated_at DESC LIMIT 1
) AS place ON true
LEFT JOIN switchyard_work AS work
    ON work.controller = 'sync'
    AND work.key = concat(report.upgrade_id, '/', coalesce(place.direction, 'forward'), '/', report.shard)
WHERE report.upgrade_id = %(upgrade)s AND report.shard = ANY(%(shards)s)
ON CONFLICT (deployment_id, ring, shard) DO UPDATE SET
    upgrade = excluded.upgrade, state = excluded.state, stage = excluded.stage, copied = excluded.copied,
    total = excluded.total, applied = excluded.applied, failed = excluded.failed, position = excluded.position,
    lag_seconds = excluded.lag_seconds, rate_per_second = excluded.rate_per_second, error = excluded.error,
    throttled = excluded.throttled, lease_holder = excluded.lease_holder, lease_epoch = excluded.lease_epoch,
    leased_until = excluded.leased_until, reported_at = excluded.reported_at
