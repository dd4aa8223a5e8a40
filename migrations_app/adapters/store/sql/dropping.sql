-- name: tables
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind = 'r' ORDER BY c.relname LIMIT 1

-- name: table
DROP TABLE {schema}.{table} CASCADE

-- name: unmark
COMMENT ON SCHEMA {schema} IS NULL
