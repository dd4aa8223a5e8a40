-- name: warrant
SELECT set_config('switchyard.warrant', %s, true), set_config('switchyard.capture', %s, true)

-- name: own_shards
SELECT pg_advisory_xact_lock(key)
FROM (SELECT hashtextextended(%s || shard, 20260) AS key FROM unnest(%s::int[]) shard ORDER BY 1) keys

-- name: staging
CREATE TEMP TABLE IF NOT EXISTS switchyard_staging (
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    removed boolean NOT NULL,
    shard integer,
    origin_shard integer,
    uid uuid,
    revision bigint NOT NULL,
    body jsonb,
    metadata jsonb,
    owning_region text,
    create_time timestamptz,
    update_time timestamptz
) ON COMMIT DELETE ROWS

-- name: stage
COPY pg_temp.switchyard_staging FROM STDIN (FORMAT BINARY)

-- name: bury
INSERT INTO {schema}.tombstone AS grave (type, name, uid, revision)
SELECT s.type, s.name, coalesce(s.uid, t.uid, '00000000-0000-0000-0000-000000000000'), s.revision
FROM pg_temp.switchyard_staging s LEFT JOIN {schema}.{table} t ON t.name = s.name
WHERE s.removed AND s.type = %s AND (t.revision IS NULL OR t.revision < s.revision)
ON CONFLICT (type, name) DO UPDATE
    SET uid = excluded.uid, revision = excluded.revision, time = excluded.time
    WHERE grave.revision < excluded.revision

-- name: remove
DELETE FROM {schema}.{table} t USING pg_temp.switchyard_staging s
WHERE s.removed AND s.type = %s AND t.name = s.name AND t.revision < s.revision

-- name: upsert
INSERT INTO {schema}.{table} AS t
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT s.name, s.shard, s.origin_shard, s.uid, s.revision, s.body, s.metadata, s.owning_region, s.create_time,
    s.update_time
FROM pg_temp.switchyard_staging s
WHERE NOT s.removed AND s.type = %s AND NOT EXISTS (
    SELECT FROM {schema}.tombstone grave
    WHERE grave.type = s.type AND grave.name = s.name AND grave.revision >= s.revision)
ORDER BY s.name
ON CONFLICT (name) DO UPDATE SET
    origin_shard = excluded.origin_shard, uid = excluded.uid, revision = excluded.revision,
    body = excluded.body, metadata = excluded.metadata, owning_region = excluded.owning_region,
    create_time = excluded.create_time, update_time = excluded.update_time
WHERE t.revision < excluded.revision

-- name: clear_staged_references
DELETE FROM {schema}.reference r
USING pg_temp.switchyard_staging s LEFT JOIN {schema}.{table} t ON t.name = s.name
WHERE s.type = %s AND r.type = s.type AND r.name = s.name AND (s.removed OR s.name = ANY(%s))
    AND coalesce(t.revision, s.revision) <= s.revision

-- name: add_staged_reference
INSERT INTO {schema}.reference
    (type, name, ordinal, path, kind, target_service, target_region, target_version, target_type, target_name)
SELECT %s, t.name, %s, %s, %s, %s, %s, %s, %s, %s
FROM {schema}.{table} t WHERE t.name = %s AND t.revision = %s

-- name: stretch
SELECT count(*), max(name) FROM (
    SELECT name FROM {schema}.{table}
    WHERE shard = %(shard)s AND name > %(after)s AND name <= coalesce(%(upto)s, name)
        AND owning_region = ANY(%(own)s)
    ORDER BY name LIMIT %(limit)s) page

-- name: copy_within
INSERT INTO {schema}.{table} AS t
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT c.name, {target_shard}, c.shard, c.uid, c.revision, c.body, c.metadata, c.owning_region, c.create_time,
    c.update_time
FROM (
    SELECT {name_expression} AS name, shard, uid, revision, {body_expression} AS body, metadata, owning_region,
        create_time, update_time
    FROM {source_schema}.{source_table} AS source
    WHERE shard = {shard} AND source.name > {after} AND source.name <= {last}
        AND source.owning_region = ANY({own})
    ORDER BY source.name
) c
WHERE NOT EXISTS (
    SELECT FROM {schema}.tombstone grave
    WHERE grave.type = {type} AND grave.name = c.name AND grave.revision >= c.revision)
ON CONFLICT (name) DO UPDATE SET
    origin_shard = excluded.origin_shard, uid = excluded.uid, revision = excluded.revision,
    body = excluded.body, metadata = excluded.metadata, owning_region = excluded.owning_region,
    create_time = excluded.create_time, update_time = excluded.update_time
WHERE t.revision < excluded.revision
{returning}

-- name: add_found_references
INSERT INTO {schema}.reference
    (type, name, ordinal, path, kind, target_service, target_region, target_version, target_type, target_name)
SELECT {type}, name, row_number() OVER (PARTITION BY name ORDER BY place) - 1,
    path, kind, target_service, target_region, target_version, target_type, target_name
FROM ({found}) found
