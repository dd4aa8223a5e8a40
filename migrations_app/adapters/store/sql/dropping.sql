-- name: tables
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind = 'r' ORDER BY c.relname LIMIT 1

-- name: table
DROP TABLE {schema}.{table} CASCADE

-- name: unmark
COMMENT ON SCHEMA {schema} IS NULL

-- name: keeps_log
SELECT EXISTS (
    SELECT FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = %s AND c.relname = 'change' AND a.attname = 'after' AND NOT a.attisdropped)

-- name: keep_log
WITH gone AS (
    DELETE FROM {schema}.change c USING (
        SELECT shard, xid, seq FROM {schema}.change WHERE origin = '' AND operation <> 'beat' LIMIT %(limit)s) page
    WHERE c.shard = page.shard AND c.xid = page.xid AND c.seq = page.seq
    RETURNING c.*
), logged AS (
    INSERT INTO switchyard.resource_change
        (deployment, version, at, seq, operation, type, name, uid, revision, request, before, after)
    SELECT %(deployment)s, %(version)s, at, seq, operation, type, name, uid, revision, coalesce(request, ''), before, after
    FROM gone
    ON CONFLICT DO NOTHING
)
SELECT count(*) FROM gone
