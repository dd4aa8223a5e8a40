-- name: turn
SELECT pg_try_advisory_lock(%s)

-- name: turn_over
SELECT pg_advisory_unlock(%s)

-- name: patience
SELECT set_config('lock_timeout', %s, false)

-- name: patience_over
RESET lock_timeout

-- name: unlimited
SET transaction_timeout = 0

-- name: limited
RESET transaction_timeout

-- name: invalid
SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = to_regnamespace(%s) AND NOT i.indisvalid

-- name: drop
DROP INDEX CONCURRENTLY IF EXISTS {schema}.{index}

-- name: uid
CREATE INDEX {beside} IF NOT EXISTS {index} ON {schema}.{table} (uid)

-- name: body
CREATE INDEX {beside} IF NOT EXISTS {index} ON {schema}.{table} ((body #>> {path}))
