-- name: warrant
SELECT set_config('switchyard.warrant', %s, true), set_config('switchyard.capture', %s, true)

-- name: aside
SELECT set_config('session_replication_role', 'replica', true)
WHERE has_parameter_privilege('session_replication_role', 'SET') AND NOT EXISTS (
    SELECT FROM pg_trigger guard JOIN pg_class c ON c.oid = guard.tgrelid
    WHERE c.relnamespace = to_regnamespace(%s) AND guard.tgname = 'guard' AND guard.tgenabled <> 'A')

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
WITH gone AS (
    DELETE FROM {schema}.{table} t USING pg_temp.switchyard_staging s
    WHERE s.removed AND s.type = %s AND t.name = s.name AND t.revision < s.revision
    RETURNING t.shard, t.name, t.uid, s.revision
)
INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
SELECT shard, 'delete', %s, name, uid, revision, split_part(current_setting('switchyard.warrant'), '@', 1) FROM gone

-- name: noted
WITH written AS ({upsert} RETURNING t.shard, t.name, t.uid, t.revision)
INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
SELECT shard, 'put', {type}, name, uid, revision, split_part(current_setting('switchyard.warrant'), '@', 1)
FROM written

-- name: staged
SELECT name FROM pg_temp.switchyard_staging WHERE NOT removed AND type = {type}

-- name: upsert
INSERT INTO {schema}.{table} AS t
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT c.name, c.shard, c.origin_shard, c.uid, c.revision, c.body, c.metadata, c.owning_region, c.create_time,
    c.update_time
FROM (SELECT * FROM pg_temp.switchyard_staging WHERE NOT removed AND type = {type} ORDER BY name) c
{where}

-- name: clear_staged_references
DELETE FROM {schema}.reference r
USING pg_temp.switchyard_staging s LEFT JOIN {schema}.{table} t ON t.name = s.name
WHERE s.type = %s AND r.type = s.type AND r.name = s.name AND (s.removed OR s.name = ANY(%s))
    AND coalesce(t.revision, s.revision) <= s.revision

-- name: add_staged_references
INSERT INTO {schema}.reference
    (type, name, ordinal, path, kind, target_service, target_region, target_version, target_type, target_name)
SELECT %s, t.name, told.ordinal, told.path, told.kind, told.target_service, told.target_region,
    told.target_version, told.target_type, told.target_name
FROM unnest(%s::text[], %s::bigint[], %s::integer[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[]) told (name, revision, ordinal, path, kind, target_service, target_region,
    target_version, target_type, target_name)
JOIN {schema}.{table} t ON t.name = told.name AND t.revision = told.revision

-- name: stretch
-- Names alone, which the index tells; where read copies lie between them, whose they are.
SELECT count(*), max(name) FROM (
    SELECT name FROM {source_schema}.{source_table}
    WHERE NOT EXISTS (SELECT FROM {source_schema}.copy_source) AND shard = {shard} AND name > {after}{upto}
    ORDER BY name LIMIT {limit}) unmixed
UNION ALL SELECT count(*), max(name) FROM (
    SELECT name FROM {source_schema}.{source_table}
    WHERE EXISTS (SELECT FROM {source_schema}.copy_source) AND shard = {shard} AND name > {after}{upto}
        AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}) mixed
ORDER BY 1 DESC LIMIT 1

-- name: end_abreast
SELECT EXISTS (SELECT FROM {source_schema}.copy_source), (
    SELECT name FROM {source_schema}.{source_table} WHERE name > {after} AND name <= {upto}
    ORDER BY name OFFSET {names} LIMIT 1)

-- name: shares
SELECT shard, count(*) FROM {source_schema}.{source_table} AS source WHERE {scope} GROUP BY shard

-- name: held_among
WITH asked AS MATERIALIZED (SELECT %s::text[] AS names)
SELECT name FROM {schema}.{table} WHERE name = ANY((SELECT names FROM asked)::text[])
UNION SELECT name FROM {schema}.tombstone WHERE EXISTS (SELECT FROM {schema}.tombstone WHERE type = {type})
    AND type = {type} AND name = ANY((SELECT names FROM asked)::text[])

-- name: straight
COPY {schema}.{table}
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
FROM STDIN (FORMAT BINARY)

-- name: held_alike
-- Of the page alone: what else lies between its names, deleted or not followed yet, says nothing about it.
SELECT held.name FROM (
    SELECT name FROM {schema}.{table} AS source WHERE {scope}
    UNION SELECT name FROM {schema}.tombstone WHERE type = {type} AND name > {after} AND name <= {last}) held
WHERE EXISTS (
    SELECT FROM {source_schema}.{source_table} AS source
    WHERE source.name = held.name AND {scope} AND source.owning_region = ANY({own}) OFFSET 0)

-- name: held_between
SELECT name FROM {schema}.{table} AS source WHERE {scope}
UNION SELECT name FROM {schema}.tombstone WHERE type = {type} AND name > {after} AND name <= {last}
LIMIT {most}

-- name: held_named
WITH brought AS MATERIALIZED (SELECT ARRAY({brought}) AS names)
SELECT name FROM {schema}.{table} WHERE name = ANY((SELECT names FROM brought)::text[])
UNION SELECT name FROM {schema}.tombstone WHERE type = {type} AND name = ANY((SELECT names FROM brought)::text[])

-- name: brought_within
SELECT {name_expression} FROM {source_schema}.{source_table} AS source WHERE {scope} AND {condition}

-- name: of_no_part
SELECT 1 FROM {source_schema}.{source_table} AS source
WHERE {scope} AND source.owning_region = ANY({own}) AND NOT ({condition}) LIMIT 1

-- name: copy_within
INSERT INTO {schema}.{table} AS t
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT c.name, {target_shard}, c.shard, c.uid, c.revision, c.body, c.metadata, c.owning_region, c.create_time,
    c.update_time
FROM (
    SELECT {name_expression} AS name, shard, uid, revision, {body_expression} AS body, metadata, owning_region,
        create_time, update_time
    FROM {source_schema}.{source_table} AS source
    WHERE {scope} AND source.owning_region = ANY({own}) AND {condition}
    ORDER BY source.name
) c
{where}
{returning}

-- name: fresh
WHERE c.name <> ALL({held})

-- name: held
c.name = ANY({held}) AND

-- name: guarded
WHERE {held} NOT EXISTS (
    SELECT FROM {schema}.tombstone grave
    WHERE grave.type = {type} AND grave.name = c.name AND grave.revision >= c.revision)
ON CONFLICT (name) DO UPDATE SET
    origin_shard = excluded.origin_shard, uid = excluded.uid, revision = excluded.revision,
    body = excluded.body, metadata = excluded.metadata, owning_region = excluded.owning_region,
    create_time = excluded.create_time, update_time = excluded.update_time
WHERE t.revision < excluded.revision

-- name: add_found_references
INSERT INTO {schema}.reference
    (type, name, ordinal, path, kind, target_service, target_region, target_version, target_type, target_name)
SELECT {type}, name, row_number() OVER (PARTITION BY name ORDER BY place) - 1,
    path, kind, target_service, target_region, target_version, target_type, target_name
FROM ({found}) found
