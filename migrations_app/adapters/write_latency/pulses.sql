-- name: read
SELECT
    (
        SELECT coalesce(jsonb_agg(details -> 'deployments' -> %(deployment)s), '[]')::text FROM switchyard_pulse
        WHERE kind = 'writes' AND details -> 'deployments' ? %(deployment)s
            AND at > clock_timestamp() - make_interval(secs => %(fresh_seconds)s)
    ),
    (
        SELECT max((details ->> 'calm_seconds')::float) FROM switchyard_pulse
        WHERE kind = 'pace' AND details ->> 'deployment' = %(deployment)s AND name <> %(own)s
            AND (details ->> 'calm_seconds')::float > 0
            AND at > clock_timestamp() - make_interval(secs => %(pace_seconds)s)
    )
