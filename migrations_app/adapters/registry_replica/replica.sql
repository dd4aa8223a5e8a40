-- name: columns
SELECT a.attname, format_type(a.atttypid, a.atttypmod),
       EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey))
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE n.nspname = coalesce(nullif(%(schema)s, ''), current_schema()) AND c.relname = %(table)s AND c.relkind = 'r'
ORDER BY a.attname

-- name: mark
SELECT count(*) || ':' || coalesce(sum(hashtextextended(xmin::text || ctid::text, 0)), 0) FROM {table}

-- name: prepare
CREATE SCHEMA IF NOT EXISTS switchyard_replica;
CREATE TABLE IF NOT EXISTS switchyard_replica.state (
    id int PRIMARY KEY CHECK (id = 1),
    copied_at timestamptz NOT NULL,
    source text NOT NULL,
    registry_seq bigint NOT NULL,
    taken bigint NOT NULL,
    marks jsonb NOT NULL
)

-- name: lock
SELECT pg_try_advisory_xact_lock(hashtextextended('switchyard_replica', 0))

-- name: state
SELECT extract(epoch FROM clock_timestamp() - copied_at)::float8, registry_seq, marks, taken FROM switchyard_replica.state

-- name: exists
SELECT to_regclass('switchyard_replica.state') IS NOT NULL

-- name: save
INSERT INTO switchyard_replica.state (id, copied_at, source, registry_seq, marks, taken)
VALUES (1, clock_timestamp(), %(source)s, %(seq)s, %(marks)s, %(taken)s)
ON CONFLICT (id) DO UPDATE SET copied_at = excluded.copied_at, source = excluded.source,
    registry_seq = excluded.registry_seq, marks = excluded.marks, taken = excluded.taken

-- name: seq
SELECT coalesce(max(seq), 0) FROM switchyard_registryhead

-- name: taken
SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint
