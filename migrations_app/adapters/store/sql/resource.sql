-- name: get
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
FROM {schema}.{table} WHERE name = %s

-- name: fenced_get
SELECT t.name, t.uid, t.revision, t.shard, t.origin_shard, t.body, t.metadata, t.owning_region, t.create_time,
    t.update_time, CASE f.mode WHEN 'CLOSED' THEN '' ELSE f.active_version END
FROM switchyard.fence f LEFT JOIN {schema}.{table} t ON t.name = %s WHERE f.deployment = %s

-- name: fenced_get_batch
SELECT t.name, t.uid, t.revision, t.shard, t.origin_shard, t.body, t.metadata, t.owning_region, t.create_time,
    t.update_time, CASE f.mode WHEN 'CLOSED' THEN '' ELSE f.active_version END
FROM switchyard.fence f LEFT JOIN {schema}.{table} t ON t.name = ANY(%s) WHERE f.deployment = %s

-- name: active
(SELECT CASE mode WHEN 'CLOSED' THEN '' ELSE active_version END FROM switchyard.fence WHERE deployment = {deployment})

-- name: batch_get
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
FROM {schema}.{table} WHERE name = ANY(%s)

-- name: present
SELECT name FROM {schema}.{table} WHERE name = ANY(%s)

-- name: page
SELECT name, uid, revision, shard, origin_shard, {documents}, owning_region, create_time, update_time
FROM {schema}.{table}
WHERE shard = {shard} AND name > {after} AND name <= {upto} AND owning_region = ANY({own})
ORDER BY name LIMIT {limit}

-- name: sent
-- The columns in the order in which a page is written to the other side.
COPY (
    SELECT name, shard, shard AS origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time
    FROM ({asked}) asked
) TO STDOUT (FORMAT BINARY)

-- name: named
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
FROM {schema}.{table} WHERE name = ANY({names})

-- name: documents
body, metadata

-- name: bare
jsonb_build_object() AS body, jsonb_build_object() AS metadata

-- name: page_abreast
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
FROM {schema}.{table} AS source
WHERE {scope} AND owning_region = ANY({own})
ORDER BY name

-- name: page_open
SELECT name, uid, revision, shard, origin_shard, {documents}, owning_region, create_time, update_time
FROM {schema}.{table}
WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
ORDER BY name LIMIT {limit}

-- name: bound
SELECT max(name) FROM {schema}.{table} WHERE shard = %(shard)s AND owning_region = ANY(%(own)s)

-- name: counts
SELECT shard, count(*) FROM {schema}.{table} WHERE owning_region = ANY(%(own)s) GROUP BY shard

-- name: names_by_uid
SELECT uid, name FROM {schema}.{table} WHERE uid = ANY(%s)

-- name: digests_shard
SELECT shard, count(*), sum(uuid_hash_extended(uid, revision)), sum(uuid_hash_extended(uid, ~revision))
FROM {schema}.{table} WHERE owning_region = ANY(%(own)s) GROUP BY shard

-- name: digests_origin_shard
SELECT origin_shard, count(*), sum(uuid_hash_extended(uid, revision)), sum(uuid_hash_extended(uid, ~revision))
FROM {schema}.{table} WHERE owning_region = ANY(%(own)s) GROUP BY origin_shard

-- name: digests_uid
SELECT mod(uuid_hash_extended(uid, 0) & 4294967295, %(ring)s::bigint), count(*),
    sum(uuid_hash_extended(uid, revision)), sum(uuid_hash_extended(uid, ~revision))
FROM {schema}.{table} WHERE owning_region = ANY(%(own)s) GROUP BY 1

-- name: tombstones
SELECT type, name, uid, revision, time FROM {schema}.tombstone
WHERE type = %s AND name > %s ORDER BY name LIMIT %s

-- name: insert
INSERT INTO {schema}.{table}
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT %(name)s, %(shard)s, coalesce(%(origin_shard)s, %(shard)s), %(uid)s,
    coalesce((SELECT revision FROM {schema}.tombstone WHERE type = %(type)s AND name = %(name)s), 0) + 1,
    %(body)s, %(metadata)s, %(owning_region)s, clock.now, clock.now
FROM (SELECT clock_timestamp() AS now) clock
WHERE NOT EXISTS (
    SELECT FROM switchyard.barred_name b JOIN switchyard.shadow s ON s.deployment = b.deployment AND s.uid = b.uid
    WHERE b.deployment = %(deployment)s AND b.version = %(version)s AND b.type = %(type)s AND b.name = %(name)s)
    AND (SELECT set_config('switchyard.request', %(request)s, true)) IS NOT NULL
ON CONFLICT (name) DO NOTHING
RETURNING name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time

-- name: update
UPDATE {schema}.{table}
SET revision = revision + 1, body = %(body)s, metadata = %(metadata)s, owning_region = %(owning_region)s,
    origin_shard = coalesce(%(origin_shard)s, origin_shard), update_time = clock_timestamp()
WHERE name = %(name)s AND revision = coalesce(%(expected)s, revision) AND owning_region = ANY(%(own)s)
    AND (SELECT set_config('switchyard.request', %(request)s, true)) IS NOT NULL
RETURNING name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time

-- name: update_without_references
WITH written AS (
    UPDATE {schema}.{table}
    SET revision = revision + 1, body = %(body)s, metadata = %(metadata)s, owning_region = %(owning_region)s,
        origin_shard = coalesce(%(origin_shard)s, origin_shard), update_time = clock_timestamp()
    WHERE name = %(name)s AND revision = coalesce(%(expected)s, revision) AND owning_region = ANY(%(own)s)
        AND (SELECT set_config('switchyard.request', %(request)s, true)) IS NOT NULL
    RETURNING name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
), cleared AS (
    DELETE FROM {schema}.reference r USING written WHERE r.type = %(type)s AND r.name = written.name
)
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time FROM written

-- name: delete_all
DELETE FROM {schema}.{table} WHERE name = ANY(%(names)s)
    AND (SELECT set_config('switchyard.request', %(request)s, true)) IS NOT NULL
RETURNING uid

-- name: delete
DELETE FROM {schema}.{table}
WHERE name = %(name)s AND revision = coalesce(%(expected)s, revision) AND owning_region = ANY(%(own)s)
    AND (SELECT set_config('switchyard.request', %(request)s, true)) IS NOT NULL
RETURNING name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time

-- name: references
SELECT path, kind, target_service, target_region, target_version, target_type, target_name
FROM {schema}.reference WHERE type = %s AND name = %s ORDER BY ordinal

-- name: references_of
SELECT name, path, kind, target_service, target_region, target_version, target_type, target_name
FROM {schema}.reference WHERE type = %s AND name = ANY(%s) ORDER BY name, ordinal

-- name: referrers
SELECT type, name, path, kind, target_service, target_region, target_version, target_type, target_name
FROM {schema}.reference WHERE target_service = %s AND target_name = %s AND kind = ANY(%s)
ORDER BY type, name, ordinal LIMIT %s

-- name: referrers_of
SELECT r.type, r.name, r.path, r.kind, r.target_service, r.target_region, r.target_version, r.target_type, r.target_name
FROM unnest(%(names)s::text[]) t(name)
CROSS JOIN LATERAL (
    SELECT * FROM {schema}.reference
    WHERE target_service = %(service)s AND target_name = t.name AND kind = ANY(%(kinds)s) LIMIT %(each)s) r
LIMIT %(most)s

-- name: staying_referrers_of
SELECT r.type, r.name, r.path, r.kind, r.target_service, r.target_region, r.target_version, r.target_type, r.target_name
FROM unnest(%(names)s::text[]) t(name)
CROSS JOIN LATERAL (
    SELECT * FROM {schema}.reference f
    WHERE target_service = %(service)s AND target_name = t.name AND kind = ANY(%(kinds)s) AND NOT EXISTS (
        SELECT FROM switchyard.barred_name b WHERE b.deployment = %(deployment)s AND b.version = %(version)s
            AND b.type = f.type AND b.name = f.name)
    LIMIT %(each)s) r
LIMIT %(most)s

-- name: referrer_counts
SELECT type, path, kind, count(*) FROM (
    SELECT type, path, kind FROM {schema}.reference
    WHERE target_service = %(service)s AND target_name = ANY(%(names)s)
        AND (target_region IN ('', %(region)s) OR target_name = ANY(%(located)s))
    LIMIT %(most)s) r
GROUP BY type, path, kind ORDER BY type, path, kind

-- name: referrer_page
SELECT name, ordinal, path FROM {schema}.reference
WHERE target_service = %(service)s AND target_name = ANY(%(names)s)
    AND (target_region IN ('', %(region)s) OR target_name = ANY(%(located)s))
    AND type = %(type)s AND kind = %(kind)s AND path ~ %(pattern)s
    AND (name, ordinal) > (%(after)s COLLATE "C", %(ordinal)s)
ORDER BY name, ordinal LIMIT %(limit)s

-- name: clear_references
DELETE FROM {schema}.reference WHERE type = %s AND name = ANY(%s)

-- name: add_references
INSERT INTO {schema}.reference
    (type, name, path, kind, target_service, target_region, target_version, target_type, target_name, ordinal)
SELECT %s, %s, told.*
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::integer[]) told

-- name: plant_shadow
INSERT INTO {schema}.shadow (type, name) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: lock_shadow
SELECT name FROM {schema}.shadow WHERE type = %s AND name = %s FOR UPDATE

-- name: plant_shadows
INSERT INTO {schema}.shadow (type, name) SELECT k.type, k.name FROM unnest(%(types)s::text[], %(names)s::text[]) k(type, name)
ORDER BY k.type COLLATE "C", k.name COLLATE "C" ON CONFLICT DO NOTHING

-- name: lock_shadows
SELECT s.name FROM {schema}.shadow s JOIN unnest(%(types)s::text[], %(names)s::text[]) k(type, name)
    ON s.type = k.type AND s.name = k.name
ORDER BY s.type, s.name FOR UPDATE OF s

-- name: share_shadow
SELECT name FROM {schema}.shadow WHERE type = %s AND name = %s FOR SHARE

-- name: hold
SELECT {schema}.hold(%s, %s)

-- name: held
SELECT t.name, coalesce(s.state, 'ACTIVE')
FROM {schema}.{table} t LEFT JOIN switchyard.shadow s ON s.deployment = %s AND s.uid = t.uid
WHERE t.name = ANY(%s)

-- name: drop_shadows
DELETE FROM {schema}.shadow WHERE type = %s AND name = ANY(%s)

-- name: list
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time{keys}
FROM {schema}.{table} WHERE {where} ORDER BY {order} LIMIT {limit}

-- name: total
SELECT count(*) FROM {schema}.{table} WHERE {where}

-- name: fence
SELECT active_version, mode, epoch, clock_timestamp(), freeze_deadline, frozen_at, freeze_end, reverse_start,
    parity_epoch, freeze_milliseconds
FROM switchyard.fence WHERE deployment = %s
