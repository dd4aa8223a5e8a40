-- name: head
SELECT pg_snapshot_xmin(pg_current_snapshot())::text

-- name: read
SELECT horizon.oldest::text, horizon.newest::text, horizon.trimmed, c.xid::text, c.seq, c.operation, c.type,
    c.name, c.uid, c.shard, c.revision, c.origin, c.at
FROM (
    SELECT pg_snapshot_xmin(snapshot) AS oldest, pg_snapshot_xmax(snapshot) AS newest, ARRAY (
            SELECT t.shard FROM {schema}.trimmed t
            JOIN unnest(%(shards)s::integer[], %(xids)s::xid8[], %(seqs)s::bigint[]) wanted(shard, xid, seq)
                ON t.shard = wanted.shard AND (t.xid, t.seq) > (wanted.xid, wanted.seq)) AS trimmed
    FROM pg_current_snapshot() snapshot
) horizon
LEFT JOIN (
    SELECT page.* FROM unnest(%(shards)s::integer[], %(xids)s::xid8[], %(seqs)s::bigint[]) wanted(shard, xid, seq)
    CROSS JOIN LATERAL (
        SELECT c.xid, c.seq, c.operation, c.type, c.name, c.uid, c.shard, c.revision, c.origin, c.at
        FROM {schema}.change c
        WHERE c.shard = wanted.shard AND (c.xid, c.seq) > (wanted.xid, wanted.seq)
            AND (%(settled)s OR c.xid < pg_snapshot_xmin(pg_current_snapshot()))
            AND (%(echo)s OR c.origin = '')
        ORDER BY c.xid, c.seq LIMIT %(limit)s
    ) page
    ORDER BY page.xid, page.seq LIMIT %(limit)s
) c ON true
ORDER BY c.xid, c.seq

-- name: built
SELECT n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = 'change' AND n.nspname = ANY(%s::text[]) ORDER BY n.nspname

-- name: mark
(SELECT {label}::text, c.xid::text, c.seq, c.xid < pg_snapshot_xmin(pg_current_snapshot())
FROM generate_series(0, {ring} - 1) s(shard) CROSS JOIN LATERAL (
    SELECT xid, seq FROM {schema}.change WHERE shard = s.shard ORDER BY xid DESC, seq DESC LIMIT 1
) c
ORDER BY c.xid DESC, c.seq DESC LIMIT 1)

-- name: since
SELECT EXISTS (
        SELECT FROM {schema}.trimmed t
        WHERE NOT EXISTS (SELECT FROM {schema}.change c WHERE c.shard = t.shard AND c.at < %(at)s)) AS lost,
    pg_snapshot_xmin(pg_current_snapshot())::text, first.xid::text, first.seq
FROM (SELECT) one
LEFT JOIN (SELECT xid, seq FROM {schema}.change WHERE at >= %(at)s ORDER BY xid, seq LIMIT 1) first ON true

-- name: durable
SELECT set_config('synchronous_commit', 'on', true)

-- name: beat
INSERT INTO {schema}.change (shard, operation, type, name, revision, origin)
SELECT shard, 'beat', '', %s, 0, '' FROM generate_series(0, %s - 1) shard
RETURNING xid::text, seq

-- name: see
INSERT INTO {schema}.heartbeat AS h (shard, beat_at)
SELECT * FROM unnest(%s::integer[], %s::timestamptz[])
ON CONFLICT (shard) DO UPDATE SET beat_at = excluded.beat_at WHERE h.beat_at < excluded.beat_at

-- name: seen
SELECT shard, beat_at FROM {schema}.heartbeat

-- name: backlog
SELECT count(*) FILTER (WHERE operation <> 'beat'),
    coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::double precision
FROM (
    SELECT page.* FROM unnest(%(shards)s::integer[], %(xids)s::xid8[], %(seqs)s::bigint[]) wanted(shard, xid, seq)
    CROSS JOIN LATERAL (
        SELECT operation, at, xid, seq FROM {schema}.change c
        WHERE c.shard = wanted.shard AND (c.xid, c.seq) > (wanted.xid, wanted.seq) AND c.origin = ''
        ORDER BY c.xid, c.seq LIMIT %(limit)s
    ) page
    ORDER BY page.xid, page.seq LIMIT %(limit)s
) unread

-- name: register
INSERT INTO {schema}.cursor (follower, shard, xid, seq) VALUES (%s, %s, %s::xid8, %s)
ON CONFLICT (follower, shard) DO NOTHING

-- name: advance
UPDATE {schema}.cursor SET
    xid = CASE WHEN (xid, seq) < (%(xid)s::xid8, %(seq)s) THEN %(xid)s::xid8 ELSE xid END,
    seq = CASE WHEN (xid, seq) < (%(xid)s::xid8, %(seq)s) THEN %(seq)s ELSE seq END,
    reached_xid = coalesce(%(reached_xid)s::xid8, reached_xid),
    reached_seq = coalesce(%(reached_seq)s, reached_seq),
    epoch = coalesce(%(epoch)s, epoch),
    advanced_at = clock_timestamp()
WHERE follower = %(follower)s AND shard = ANY(%(shards)s)
RETURNING dead

-- name: restart
UPDATE {schema}.cursor c SET
    xid = coalesce(%(xid)s::xid8, pg_snapshot_xmin(pg_current_snapshot())), seq = coalesce(%(seq)s, 0),
    reached_xid = NULL, reached_seq = NULL, epoch = NULL, dead = false, advanced_at = clock_timestamp()
WHERE c.follower = %(follower)s AND c.shard = ANY(%(shards)s) AND (c.dead OR EXISTS (
    SELECT FROM {schema}.trimmed t WHERE t.shard = c.shard AND (t.xid, t.seq) > (c.xid, c.seq)))
RETURNING c.shard

-- name: cursors
SELECT follower, shard, xid::text || '.' || seq, reached_xid::text || '.' || reached_seq, epoch, advanced_at, dead
FROM {schema}.cursor WHERE follower = coalesce(%s, follower) ORDER BY follower, shard

-- name: forget
DELETE FROM {schema}.cursor WHERE follower = %s

-- name: bury_followers
UPDATE {schema}.cursor SET dead = true
WHERE NOT dead AND seq < (SELECT max(seq) FROM {schema}.change) - %(keep)s AND %(keep)s < (
    SELECT count(*) FROM (
        SELECT FROM {schema}.change c
        WHERE c.shard = cursor.shard AND (c.xid, c.seq) > (cursor.xid, cursor.seq) LIMIT %(keep)s + 1) unread)

-- name: trim
WITH floor AS (
    SELECT s.shard, coalesce(slowest.xid, horizon.oldest) AS xid, coalesce(slowest.seq, 0) AS seq,
        horizon.oldest
    FROM generate_series(0, %(ring)s - 1) s(shard)
    CROSS JOIN (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest) horizon
    LEFT JOIN LATERAL (
        SELECT xid, seq FROM {schema}.cursor c WHERE c.shard = s.shard AND NOT c.dead ORDER BY xid, seq LIMIT 1
    ) slowest ON true
), passed AS (
    SELECT page.* FROM floor CROSS JOIN LATERAL (
        SELECT shard, xid, seq FROM {schema}.change c
        WHERE c.shard = floor.shard AND (c.xid, c.seq) <= (floor.xid, floor.seq) AND c.xid < floor.oldest
            AND c.at < clock_timestamp() - make_interval(secs => %(retain)s)
        ORDER BY c.xid, c.seq LIMIT %(limit)s
    ) page
    LIMIT %(limit)s
), gone AS (
    DELETE FROM {schema}.change c USING passed p WHERE c.shard = p.shard AND c.xid = p.xid AND c.seq = p.seq
    RETURNING c.*
), logged AS (
    INSERT INTO switchyard.resource_change
        (deployment, version, at, seq, operation, type, name, uid, revision, request, before, after)
    SELECT %(deployment)s, %(version)s, at, seq, operation, type, name, uid, revision, coalesce(request, ''), before, after
    FROM gone WHERE origin = '' AND operation <> 'beat'
    ON CONFLICT DO NOTHING
), noted AS (
    INSERT INTO {schema}.trimmed AS t (shard, xid, seq)
    SELECT DISTINCT ON (shard) shard, xid, seq FROM gone ORDER BY shard, xid DESC, seq DESC
    ON CONFLICT (shard) DO UPDATE SET xid = excluded.xid, seq = excluded.seq
        WHERE (t.xid, t.seq) < (excluded.xid, excluded.seq)
)
SELECT count(*) FROM gone

-- name: holders
SELECT pid, coalesce(usename, ''), coalesce(datname, ''), coalesce(application_name, ''),
    extract(epoch FROM clock_timestamp() - xact_start)::double precision AS age, coalesce(state, ''),
    left(coalesce(query, ''), 500)
FROM pg_stat_activity
WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    AND xact_start <= clock_timestamp() - make_interval(secs => %(older)s)
UNION ALL
SELECT 0, owner, database, 'prepared transaction ' || gid,
    extract(epoch FROM clock_timestamp() - prepared)::double precision, 'prepared', ''
FROM pg_prepared_xacts WHERE prepared <= clock_timestamp() - make_interval(secs => %(older)s)
ORDER BY age DESC

-- name: knows_server
SELECT to_regclass('switchyard.feed_server') IS NOT NULL

-- name: is_restored
SELECT EXISTS (
    SELECT FROM switchyard.feed_server s, pg_control_system() c WHERE s.identifier <> c.system_identifier::text)

-- name: lock_server
SELECT FROM switchyard.feed_server s, pg_control_system() c
WHERE s.identifier <> c.system_identifier::text FOR UPDATE OF s

-- name: note_server
UPDATE switchyard.feed_server SET identifier = (SELECT system_identifier::text FROM pg_control_system())

-- name: lock_feed
LOCK TABLE {schema}.change IN SHARE ROW EXCLUSIVE MODE

-- name: empty_feed
WITH gone AS (
    DELETE FROM {schema}.change RETURNING *
), untrimmed AS (
    DELETE FROM {schema}.trimmed
), buried AS (
    UPDATE {schema}.cursor SET dead = true, xid = '0', seq = 0, reached_xid = NULL, reached_seq = NULL
), logged AS (
    INSERT INTO switchyard.resource_change
        (deployment, version, at, seq, operation, type, name, uid, revision, request, before, after)
    SELECT %(deployment)s, %(version)s, at, seq, operation, type, name, uid, revision, coalesce(request, ''), before, after
    FROM gone WHERE origin = '' AND operation <> 'beat'
    ON CONFLICT DO NOTHING
)
SELECT count(*) FROM gone
