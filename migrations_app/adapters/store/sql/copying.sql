-- name: sources
-- Copies that were caught up after their source moved last are caught up as of the last look at its feed.
SELECT s.region, s.position, s.stage, s.cursor, s.compared_at, greatest(s.level_at, rest.looked_at),
    greatest(s.heard_at, rest.looked_at), s.waiting, s.problem, s.problem_phrases, s.rev
FROM {schema}.copy_source s
LEFT JOIN LATERAL (
    SELECT min(look.looked_at) AS looked_at
    FROM switchyard.feed_rest rest JOIN switchyard.feed_look look USING (watched)
    WHERE rest.deployment = %(service)s || s.region
    HAVING max(rest.since) <= s.level_at AND s.stage = 'FOLLOW' AND s.problem = '' AND s.waiting = 0
) rest ON true
WHERE s.region = coalesce(%(region)s, s.region) ORDER BY s.region

-- name: note
INSERT INTO {schema}.copy_source AS s
    (region, position, stage, cursor, compared_at, level_at, heard_at, waiting, problem, problem_phrases,
        rev)
SELECT %(region)s, %(position)s, %(stage)s, %(cursor)s, %(compared_at)s, %(level_at)s, %(heard_at)s, %(waiting)s,
    %(problem)s, %(problem_phrases)s, 1
WHERE %(rev)s = 0 OR EXISTS (SELECT FROM {schema}.copy_source WHERE region = %(region)s)
ON CONFLICT (region) DO UPDATE SET
    position = excluded.position, stage = excluded.stage, cursor = excluded.cursor,
    compared_at = excluded.compared_at, level_at = excluded.level_at, heard_at = excluded.heard_at,
    waiting = excluded.waiting, problem = excluded.problem, problem_phrases = excluded.problem_phrases,
    rev = s.rev + 1
    WHERE s.rev = %(rev)s
RETURNING rev

-- name: keep_level
-- Before the rest of a source ends: what was known of its copies until then stays known.
UPDATE {schema}.copy_source s SET level_at = rest.looked_at, heard_at = greatest(s.heard_at, rest.looked_at)
FROM (
    SELECT min(look.looked_at) AS looked_at, max(rest.since) AS since
    FROM switchyard.feed_rest rest JOIN switchyard.feed_look look USING (watched)
    WHERE rest.deployment = %(service)s || %(region)s
) rest
WHERE s.region = %(region)s AND s.level_at >= rest.since AND s.level_at < rest.looked_at
    AND s.stage = 'FOLLOW' AND s.problem = '' AND s.waiting = 0

-- name: note_look
WITH seen AS (
    SELECT * FROM unnest(%(deployments)s::text[], %(since)s::timestamptz[]) AS seen (deployment, since)
), rests AS (
    INSERT INTO switchyard.feed_rest AS r (deployment, watched, since)
    SELECT deployment, %(watched)s, since FROM seen ORDER BY deployment
    ON CONFLICT (deployment, watched) DO UPDATE SET since = excluded.since WHERE r.since <> excluded.since
), gone AS (
    DELETE FROM switchyard.feed_rest r
    WHERE r.watched = %(watched)s AND NOT EXISTS (SELECT FROM seen WHERE seen.deployment = r.deployment)
)
INSERT INTO switchyard.feed_look AS l (watched, looked_at) VALUES (%(watched)s, %(at)s)
ON CONFLICT (watched) DO UPDATE SET looked_at = excluded.looked_at WHERE l.looked_at < excluded.looked_at

-- name: forget
DELETE FROM {schema}.copy_source WHERE region = %(region)s AND rev = %(rev)s

-- name: remove
WITH gone AS (
    DELETE FROM {schema}.{table} t USING pg_temp.switchyard_staging s
    WHERE s.removed AND s.type = %(type)s AND t.name = s.name AND t.revision < s.revision
        AND t.owning_region = %(region)s
    RETURNING t.shard, t.name, t.uid, s.revision
)
INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
SELECT shard, 'delete', %(type)s, name, uid, revision, %(origin)s FROM gone

-- name: upsert
WITH written AS (
    INSERT INTO {schema}.{table} AS t
        (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
    SELECT s.name, s.shard, s.origin_shard, s.uid, s.revision, s.body, s.metadata, s.owning_region, s.create_time,
        s.update_time
    FROM pg_temp.switchyard_staging s
    WHERE NOT s.removed AND s.type = %(type)s AND s.owning_region <> ALL(%(own)s)
    ORDER BY s.name
    ON CONFLICT (name) DO UPDATE SET
        uid = excluded.uid, revision = excluded.revision, body = excluded.body, metadata = excluded.metadata,
        owning_region = excluded.owning_region, create_time = excluded.create_time,
        update_time = excluded.update_time
    WHERE t.revision < excluded.revision AND t.owning_region <> ALL(%(own)s)
    RETURNING shard, name, uid, revision
)
INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
SELECT shard, 'put', %(type)s, name, uid, revision, %(origin)s FROM written

-- name: held
SELECT name, uid, revision FROM {schema}.{table}
WHERE owning_region = %(region)s AND name > %(after)s ORDER BY name LIMIT %(limit)s

-- name: known
SELECT name, revision FROM {schema}.{table} WHERE owning_region = %(region)s AND name = ANY(%(names)s)

-- name: owned
SELECT name, uid, revision, metadata -> 'syncing' FROM {schema}.{table}
WHERE owning_region = ANY(%(own)s) AND name > %(after)s
    AND (%(reader)s = '' OR metadata -> 'syncing' -> 'regions' ? %(reader)s)
ORDER BY name LIMIT %(limit)s

-- name: owned_below
SELECT name, uid, revision, metadata -> 'syncing' FROM {schema}.{table}
WHERE owning_region = ANY(%(own)s) AND name > %(after)s AND name >= %(prefix)s AND name < %(prefix)s || '0'
    AND (name = %(prefix)s OR starts_with(name, %(prefix)s || '/'))
    AND (%(reader)s = '' OR metadata -> 'syncing' -> 'regions' ? %(reader)s)
ORDER BY name LIMIT %(limit)s
