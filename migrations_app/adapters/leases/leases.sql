-- name: take
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, leased_until, parked_code, parked_reason, parked_remedy)
VALUES (%(controller)s, %(key)s, nextval('switchyard_lease_epoch'), %(holder)s, 1, 0,
        clock_timestamp() + make_interval(secs => %(seconds)s), '', '', '')
ON CONFLICT (controller, key) DO UPDATE SET
  epoch = nextval('switchyard_lease_epoch'), holder = excluded.holder, attempts = work.attempts + 1,
  leased_until = excluded.leased_until, queued_until = NULL
WHERE work.parked_at IS NULL
  AND (work.leased_until IS NULL OR work.leased_until <= clock_timestamp())
  AND (work.due_at IS NULL OR work.due_at <= clock_timestamp())
RETURNING epoch, attempts, wakes, told

-- name: renew
UPDATE switchyard_work SET leased_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL

-- name: confirm
SELECT 1 FROM switchyard_work
WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL
FOR SHARE

-- name: settle
UPDATE switchyard_work SET
  leased_until = NULL, settled_at = clock_timestamp(),
  attempts = CASE WHEN %(fruitless)s THEN attempts ELSE 0 END,
  told = coalesce(%(told)s, told),
  waits_for = %(waits_for)s,
  waits_since = CASE WHEN %(waits_for)s <> '' THEN coalesce(waits_since, clock_timestamp()) END,
  parked_at = CASE WHEN %(parked)s THEN clock_timestamp() END,
  parked_code = %(code)s, parked_reason = %(reason)s, parked_remedy = %(remedy)s,
  due_at = CASE
    WHEN %(parked)s THEN NULL
    WHEN wakes <> %(wakes)s THEN clock_timestamp()
    WHEN %(after)s::float8 IS NOT NULL THEN clock_timestamp() + greatest(
      make_interval(secs => %(after)s::float8),
      CASE WHEN %(waits_for)s <> '' THEN
        least(
          (clock_timestamp() - coalesce(waits_since, clock_timestamp())) / %(share)s,
          make_interval(secs => %(longest)s)
        )
      END
    )
  END
WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL

-- name: wake
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, due_at, parked_code, parked_reason, parked_remedy)
VALUES (%(controller)s, %(key)s, 0, '', 0, 1, clock_timestamp(), '', '', '')
ON CONFLICT (controller, key) DO UPDATE SET
  wakes = work.wakes + 1, due_at = clock_timestamp(),
  parked_at = CASE WHEN %(unpark)s THEN NULL ELSE work.parked_at END,
  attempts = CASE WHEN %(unpark)s AND work.parked_at IS NOT NULL THEN 0 ELSE work.attempts END

-- name: queueable
WITH asked AS (
  SELECT unnest(%(keys)s::text[]) AS key
  UNION
  SELECT key FROM switchyard_work
  WHERE controller = %(controller)s AND due_at <= clock_timestamp() AND parked_at IS NULL
)
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, queued_until, parked_code, parked_reason, parked_remedy)
SELECT %(controller)s, key, 0, '', 0, 0, clock_timestamp() + make_interval(secs => %(seconds)s), '', '', ''
FROM asked ORDER BY key
ON CONFLICT (controller, key) DO UPDATE SET queued_until = excluded.queued_until
WHERE work.parked_at IS NULL
  AND (work.leased_until IS NULL OR work.leased_until <= clock_timestamp())
  AND (work.due_at IS NULL OR work.due_at <= clock_timestamp())
  AND (work.queued_until IS NULL OR work.queued_until <= clock_timestamp())
RETURNING key

-- name: prune
DELETE FROM switchyard_work WHERE id IN (
  SELECT id FROM switchyard_work
  WHERE parked_at IS NULL AND due_at IS NULL AND leased_until IS NULL
    AND settled_at < clock_timestamp() - make_interval(secs => %(seconds)s)
  LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
