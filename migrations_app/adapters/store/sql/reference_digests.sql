-- name: digests
-- One statement, so one snapshot: a write puts its document and its rows into one transaction.
WITH found AS (
    SELECT coalesce(t.shard, -1) AS shard, false AS said, r.name, {kept} AS key
    FROM {schema}.reference r LEFT JOIN {schema}.{table} t ON t.name = r.name
    WHERE r.type = {type} AND (t.name IS NULL OR t.owning_region = ANY({own}))
    {said}
)
SELECT shard, said, count(*), sum(hashtextextended(key, 0)), sum(hashtextextended(key, 1)),
    (array_agg(DISTINCT name) FILTER (WHERE shard = -1))[1:{most}]
FROM found GROUP BY shard, said

-- name: said
UNION ALL
SELECT t.shard, true, r.name, {key}
FROM ({found}) r JOIN {schema}.{table} t ON t.name = r.name
WHERE t.owning_region = ANY({own})

-- name: key
concat_ws(chr(31), r.name, r.path, r.kind, r.target_service, r.target_name)

-- name: clear
DELETE FROM {schema}.reference r
WHERE r.type = {type} AND r.name = ANY({names}) AND NOT EXISTS (SELECT FROM {schema}.{table} t WHERE t.name = r.name)
