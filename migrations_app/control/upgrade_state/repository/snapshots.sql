-- name: facts
SELECT jsonb_build_object(
    'at', %s::timestamptz,
    'shards', (
        SELECT coalesce(jsonb_agg(to_jsonb(report) ORDER BY report.shard), '[]')
        FROM switchyard_upgradeshard AS report WHERE report.upgrade_id = switchyard_upgrade.id
    ),
    'lags', (
        SELECT coalesce(
            jsonb_agg(jsonb_build_array(extract(epoch FROM latest.at), latest.lag_max) ORDER BY latest.at), '[]'
        )
        FROM (
            SELECT sample.at, sample.lag_max FROM switchyard_upgradesample AS sample
            WHERE sample.upgrade_id = switchyard_upgrade.id AND switchyard_upgrade.state = ANY(%s)
            ORDER BY sample.at DESC LIMIT 20
        ) AS latest
        WHERE latest.lag_max IS NOT NULL
    ),
    'keys', (
        SELECT coalesce(jsonb_agg(to_jsonb(work)), '[]')
        FROM switchyard_work AS work
        WHERE switchyard_upgrade.state = ANY(%s)
            AND work.controller IN ('sync', 'parity', 'switch')
            AND split_part(work.key, '/', 1) = switchyard_upgrade.id
    ),
    'workers', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('at', pulse.at, 'details', pulse.details)), '[]')
        FROM switchyard_pulse AS pulse WHERE switchyard_upgrade.state = ANY(%s) AND pulse.kind = 'worker'
    ),
    'paces', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('at', pulse.at, 'details', pulse.details)), '[]')
        FROM switchyard_pulse AS pulse
        WHERE switchyard_upgrade.state = ANY(%s) AND pulse.kind = 'pace'
            AND pulse.details ->> 'deployment' = switchyard_upgrade.deployment
    )
)
