-- name: sources
SELECT region, position, stage, cursor, compared_at, level_at, heard_at, waiting, problem, rev
FROM {schema}.copy_source WHERE region = coalesce(%s, region) ORDER BY region

-- name: note
INSERT INTO {schema}.copy_source AS s
    (region, position, stage, cursor, compared_at, level_at, heard_at, waiting, problem, rev)
SELECT %(region)s, %(position)s, %(stage)s, %(cursor)s, %(compared_at)s, %(level_at)s, %(heard_at)s, %(waiting)s,
    %(problem)s, 1
WHERE %(rev)s = 0 OR EXISTS (SELECT FROM {schema}.copy_source WHERE region = %(region)s)
ON CONFLICT (region) DO UPDATE SET
    position = excluded.position, stage = excluded.stage, cursor = excluded.cursor,
    compared_at = excluded.compared_at, level_at = excluded.level_at, heard_at = excluded.heard_at,
    waiting = excluded.waiting, problem = excluded.problem, rev = s.rev + 1
    WHERE s.rev = %(rev)s
RETURNING rev

-- name: confirm_level
UPDATE {schema}.copy_source SET level_at = %(at)s, heard_at = %(at)s
WHERE region = %(region)s AND stage = 'FOLLOW' AND problem = '' AND waiting = 0
    AND level_at >= %(since)s AND level_at < %(at)s

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
SELECT name, uid, revision FROM {schema}.{table}
WHERE owning_region = ANY(%(own)s) AND name > %(after)s
    AND (%(reader)s = '' OR metadata -> 'syncing' -> 'regions' ? %(reader)s)
ORDER BY name LIMIT %(limit)s

-- name: owned_below
SELECT name, uid, revision FROM {schema}.{table}
WHERE owning_region = ANY(%(own)s) AND name > %(after)s AND name >= %(prefix)s AND name < %(prefix)s || '0'
    AND (name = %(prefix)s OR starts_with(name, %(prefix)s || '/'))
    AND (%(reader)s = '' OR metadata -> 'syncing' -> 'regions' ? %(reader)s)
ORDER BY name LIMIT %(limit)s
