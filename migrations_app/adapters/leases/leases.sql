-- name: take_next
-- A class starts where it stopped, but at most its credit behind the others that have due keys (domain/work_classes.py).
-- The last part looks at the classes one after the other and locks no key but the one it takes.
WITH share AS (
  SELECT * FROM unnest(%(classes)s::text[], %(shares)s::float8[], %(first)s::boolean[])
    AS share (work_class, weight, first)
),
due AS MATERIALIZED (
  SELECT share.*, account.passed, oldest.due_at, oldest.keys
  FROM share
  LEFT JOIN switchyard_workaccount AS account
    ON account.pool = %(pool)s AND account.work_class = share.work_class
  CROSS JOIN LATERAL (
    SELECT min(due_at) AS due_at, count(*) AS keys FROM (
      SELECT due_at FROM switchyard_work AS work
      WHERE work.work_class = share.work_class AND quarantined_at IS NULL AND due_at <= statement_timestamp()
        AND (leased_until IS NULL OR leased_until <= statement_timestamp())
        AND controller = ANY(%(controllers)s) AND controller || ' ' || key <> ALL(%(skip)s)
      ORDER BY due_at LIMIT 2
    ) AS counted
  ) AS oldest
  WHERE oldest.keys > 0
),
ranked AS MATERIALIZED (
  SELECT due.work_class, due.weight, due.first, due.passed, due.due_at,
    CASE WHEN due.passed IS NULL THEN coalesce(others.least, 0)
      ELSE greatest(due.passed, coalesce(others.least, 0) - %(credit)s::float8) END AS start
  FROM due
  CROSS JOIN LATERAL (
    SELECT min(other.passed) AS least FROM due AS other
    WHERE other.work_class <> due.work_class AND NOT other.first
  ) AS others
),
next AS (
  SELECT own.id, ranked.*
  FROM (SELECT * FROM ranked ORDER BY first DESC, start, passed IS NOT NULL, due_at) AS ranked
  CROSS JOIN LATERAL (
    SELECT id FROM switchyard_work AS work
    WHERE work.work_class = ranked.work_class AND quarantined_at IS NULL AND work.due_at <= statement_timestamp()
      AND (leased_until IS NULL OR leased_until <= statement_timestamp())
      AND controller = ANY(%(controllers)s) AND controller || ' ' || key <> ALL(%(skip)s)
    ORDER BY work.due_at LIMIT 1
    FOR UPDATE SKIP LOCKED
  ) AS own
  LIMIT 1
),
taken AS (
  UPDATE switchyard_work AS work SET
    epoch = nextval('switchyard_lease_epoch'), holder = %(holder)s, attempts = work.attempts + 1,
    leased_until = clock_timestamp() + make_interval(secs => %(seconds)s)
  FROM next WHERE work.id = next.id
  RETURNING work.controller, work.key, work.epoch, work.attempts, work.wakes, work.memo, work.work_class
),
charged AS (
  INSERT INTO switchyard_workaccount AS account (pool, work_class, share, passed, used_seconds, slices)
  SELECT %(pool)s, next.work_class, next.weight, next.start + %(expected)s::float8 / next.weight, 0, 0
  FROM next JOIN taken ON true
  ON CONFLICT (pool, work_class) DO UPDATE SET
    share = excluded.share,
    passed = greatest(account.passed + %(expected)s::float8 / excluded.share, excluded.passed)
)
SELECT taken.*, (SELECT sum(keys) > 1 FROM due) FROM taken

-- name: take
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, due_at, leased_until, quarantined_code, quarantined_reason, quarantined_remedy)
VALUES (%(controller)s, %(key)s, nextval('switchyard_lease_epoch'), %(holder)s, 1, 0, clock_timestamp(),
        clock_timestamp() + make_interval(secs => %(seconds)s), '', '', '')
ON CONFLICT (controller, key) DO UPDATE SET
  epoch = nextval('switchyard_lease_epoch'), holder = excluded.holder, attempts = work.attempts + 1,
  due_at = coalesce(work.due_at, excluded.due_at), leased_until = excluded.leased_until
WHERE work.quarantined_at IS NULL
  AND (work.leased_until IS NULL OR work.leased_until <= clock_timestamp())
  AND (work.due_at IS NULL OR work.due_at <= clock_timestamp())
RETURNING epoch, attempts, wakes, memo

-- name: renew
UPDATE switchyard_work SET leased_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL

-- name: confirm
SELECT 1 FROM switchyard_work
WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL
FOR SHARE

-- name: settle
WITH settled AS (
  UPDATE switchyard_work SET
    leased_until = NULL, settled_at = clock_timestamp(),
    work_class = coalesce(%(work_class)s, work_class),
    attempts = CASE WHEN %(fruitless)s THEN attempts ELSE 0 END,
    memo = coalesce(%(memo)s, memo),
    waits_for = %(waits_for)s, waits_for_phrases = %(waits_for_phrases)s::jsonb,
    waits_since = CASE WHEN %(waits_for)s <> '' THEN coalesce(waits_since, clock_timestamp()) END,
    quarantined_at = CASE WHEN %(quarantined)s THEN clock_timestamp() END,
    quarantined_code = %(code)s, quarantined_reason = %(reason)s, quarantined_remedy = %(remedy)s,
    quarantined_reason_phrases = %(reason_phrases)s::jsonb, quarantined_remedy_phrases = %(remedy_phrases)s::jsonb,
    due_at = CASE
      WHEN %(quarantined)s THEN NULL
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
  RETURNING id, coalesce(due_at <= clock_timestamp(), false) AS due_now
),
charged AS (
  UPDATE switchyard_workaccount SET
    passed = passed + (%(used)s::float8 - %(expected)s::float8) / share,
    used_seconds = used_seconds + %(used)s::float8, slices = slices + 1
  FROM settled WHERE pool = %(pool)s AND work_class = %(charged_class)s
)
SELECT due_now OR EXISTS (
  SELECT 1 FROM switchyard_work AS other
  WHERE other.work_class = ANY(%(classes)s) AND other.quarantined_at IS NULL AND other.due_at <= statement_timestamp()
    AND (other.leased_until IS NULL OR other.leased_until <= statement_timestamp()) AND other.id <> settled.id
) FROM settled

-- name: end
-- A key that was woken meanwhile is settled instead: its row must not be lost with its wake.
WITH ended AS (
  DELETE FROM switchyard_work
  WHERE controller = %(controller)s AND key = %(key)s AND epoch = %(epoch)s AND leased_until IS NOT NULL
    AND wakes = %(wakes)s
  RETURNING id
),
charged AS (
  UPDATE switchyard_workaccount SET
    passed = passed + (%(used)s::float8 - %(expected)s::float8) / share,
    used_seconds = used_seconds + %(used)s::float8, slices = slices + 1
  FROM ended WHERE pool = %(pool)s AND work_class = %(charged_class)s
)
SELECT EXISTS (
  SELECT 1 FROM switchyard_work AS other
  WHERE other.work_class = ANY(%(classes)s) AND other.quarantined_at IS NULL AND other.due_at <= statement_timestamp()
    AND (other.leased_until IS NULL OR other.leased_until <= statement_timestamp()) AND other.id <> ended.id
) FROM ended

-- name: wake
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, due_at, work_class, quarantined_code, quarantined_reason, quarantined_remedy)
VALUES (%(controller)s, %(key)s, 0, '', 0, 1, clock_timestamp(), %(work_class)s, '', '', '')
ON CONFLICT (controller, key) DO UPDATE SET
  wakes = work.wakes + 1, due_at = least(work.due_at, clock_timestamp()),
  work_class = CASE WHEN work.work_class = '' THEN excluded.work_class ELSE work.work_class END,
  quarantined_at = CASE WHEN %(lift_quarantine)s THEN NULL ELSE work.quarantined_at END,
  attempts = CASE WHEN %(lift_quarantine)s AND work.quarantined_at IS NOT NULL THEN 0 ELSE work.attempts END

-- name: wake_all
-- In the order of the keys, so that two who wake the same never wait for each other in a circle.
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, due_at, work_class, quarantined_code, quarantined_reason, quarantined_remedy)
SELECT controller, key, 0, '', 0, 1, clock_timestamp(), work_class, '', '', ''
FROM (
  SELECT DISTINCT ON (controller, key) *
  FROM unnest(%(controllers)s::text[], %(keys)s::text[], %(classes)s::text[]) AS woken (controller, key, work_class)
  ORDER BY controller, key
) AS woken
ON CONFLICT (controller, key) DO UPDATE SET
  wakes = work.wakes + 1, due_at = least(work.due_at, clock_timestamp()),
  work_class = CASE WHEN work.work_class = '' THEN excluded.work_class ELSE work.work_class END

-- name: ensure
-- Keys that are scheduled, held or quarantined are left out before anything is locked.
WITH listed AS (
  -- One text for all keys: an array's texts are quoted one by one in Python, thousands of them each minute.
  SELECT DISTINCT ON (listed ->> 0) listed ->> 0 AS key, listed ->> 1 AS work_class
  FROM json_array_elements(%(listed)s::json) AS listed
)
INSERT INTO switchyard_work AS work
  (controller, key, epoch, holder, attempts, wakes, due_at, work_class, quarantined_code, quarantined_reason, quarantined_remedy)
SELECT %(controller)s, key, 0, '', 0, 0, clock_timestamp(), work_class, '', '', ''
FROM listed
WHERE NOT EXISTS (
  SELECT 1 FROM switchyard_work AS known
  WHERE known.controller = %(controller)s AND known.key = listed.key
    AND (known.quarantined_at IS NOT NULL OR (known.due_at IS NOT NULL AND known.work_class <> ''))
)
ORDER BY key
ON CONFLICT (controller, key) DO UPDATE SET
  due_at = coalesce(work.due_at, excluded.due_at),
  work_class = CASE WHEN work.work_class = '' THEN excluded.work_class ELSE work.work_class END
WHERE work.quarantined_at IS NULL AND (work.due_at IS NULL OR work.work_class = '')
RETURNING key

-- name: count_keys
SELECT count(*) FROM switchyard_work WHERE controller = ANY(%(controllers)s)

-- name: count_due
SELECT controller, least(count(*), %(limit)s) FROM switchyard_work
WHERE controller = ANY(%(controllers)s) AND quarantined_at IS NULL AND due_at <= statement_timestamp()
  AND (leased_until IS NULL OR leased_until <= statement_timestamp())
GROUP BY controller

-- name: backlog
WITH late AS (
  SELECT work_class, count(*) AS keys, extract(epoch FROM statement_timestamp() - min(due_at))::float8 AS seconds
  FROM switchyard_work
  WHERE quarantined_at IS NULL AND due_at <= statement_timestamp()
    AND (leased_until IS NULL OR leased_until <= statement_timestamp())
  GROUP BY work_class
),
used AS (
  SELECT work_class, sum(used_seconds) AS seconds FROM switchyard_workaccount GROUP BY work_class
)
SELECT work_class, coalesce(late.keys, 0), coalesce(late.seconds, 0.0), coalesce(used.seconds, 0.0)
FROM late FULL JOIN used USING (work_class)

-- name: prune
DELETE FROM switchyard_work WHERE id IN (
  SELECT id FROM switchyard_work
  WHERE quarantined_at IS NULL AND due_at IS NULL AND leased_until IS NULL
    AND settled_at < clock_timestamp() - make_interval(secs => %(seconds)s)
  LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
