-- name: patience
SELECT set_config('statement_timeout', %s, true)

-- name: exists
SELECT to_regclass(%s) IS NOT NULL

-- name: resources
SELECT count(*) FROM {schema}.{table} WHERE owning_region = ANY(%(own)s)

-- name: documents
SELECT body FROM {schema}.{table} WHERE owning_region = ANY(%(own)s)

-- name: sample
SELECT body FROM {schema}.{table} TABLESAMPLE SYSTEM (%(percent)s) WHERE owning_region = ANY(%(own)s) LIMIT %(limit)s

-- name: applying
count(*) FILTER (WHERE body @? {path}::jsonpath)

-- name: counts
SELECT {columns} FROM {schema}.{table} WHERE owning_region = ANY({own})

-- name: misnamed
SELECT count(*) FROM {schema}.{table} WHERE owning_region = ANY(%(own)s) AND name !~ ALL(%(patterns)s)

-- name: misnamed_sample
SELECT count(*) FILTER (WHERE name !~ ALL(%(patterns)s)), count(*) FROM (
    SELECT name FROM {schema}.{table} TABLESAMPLE SYSTEM (%(percent)s) WHERE owning_region = ANY(%(own)s) LIMIT %(limit)s
) sampled

-- name: estimate
SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass(%s)
