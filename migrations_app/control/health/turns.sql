-- name: by_region
WITH keys AS (
  SELECT
    work.controller, work.holder, work.settled_at, work.quarantined_at IS NOT NULL AS quarantined,
    work.leased_until > clock_timestamp() AS held,
    work.due_at < clock_timestamp() - interval '30 seconds' AND work.leased_until IS NULL AS late,
    -- A key names a deployment, or an upgrade of one; what is of no region is Switchyard's own.
    coalesce(substring(work.key FROM '/deployments/([^/<]+)'), upgrade.region, '') AS region
  FROM switchyard_work AS work
  LEFT JOIN switchyard_upgrade AS upgrade ON upgrade.id = split_part(work.key, '/', 1)
  WHERE work.epoch > 0
)
SELECT
  region, controller, count(*), count(*) FILTER (WHERE held), count(*) FILTER (WHERE late),
  count(*) FILTER (WHERE quarantined),
  (array_agg(holder ORDER BY held DESC NULLS LAST, settled_at DESC NULLS LAST))[1],
  max(settled_at),
  extract(epoch FROM clock_timestamp() - max(settled_at))::float8
FROM keys GROUP BY region, controller ORDER BY region, controller

-- name: stale
-- Controllers with keys that are due for long while none of their keys is held or was settled: no worker takes them.
WITH late AS (
  SELECT controller, extract(epoch FROM clock_timestamp() - min(due_at))::float8 AS seconds
  FROM switchyard_work
  WHERE quarantined_at IS NULL AND due_at <= clock_timestamp()
    AND (leased_until IS NULL OR leased_until <= clock_timestamp())
  GROUP BY controller
)
SELECT late.controller, late.seconds, late.seconds > %(limit)s AND NOT EXISTS (
  SELECT 1 FROM switchyard_work AS work
  WHERE work.controller = late.controller AND (
    work.leased_until > clock_timestamp() OR work.settled_at > clock_timestamp() - make_interval(secs => %(limit)s)
  )
)
FROM late ORDER BY late.seconds DESC, late.controller
