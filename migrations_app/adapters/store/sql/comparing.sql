-- name: compare_within
-- The page is cut before it is joined: no plan may look up more than it has.
WITH page AS MATERIALIZED (
    SELECT name, uid, revision, body FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
),
made AS (
    SELECT name AS source_name, uid, revision, {unsure_expression} AS unsure,
        {name_expression} AS made_name, {body_expression} AS made_body
    FROM page
)
SELECT count(*), max(source_name), coalesce(
    jsonb_object_agg(source_name, made.revision) FILTER (
        WHERE NOT unsure AND (held.name IS NULL OR held.uid <> made.uid OR held.revision <> made.revision
            OR held.body IS DISTINCT FROM made_body)),
    '{{}}'), coalesce(array_agg(source_name) FILTER (WHERE unsure), '{{}}')
FROM made LEFT JOIN {target_schema}.{target_table} held ON held.name = made_name

-- name: compare_both_ways
-- Where names and shards stay, one look at the same names on both sides answers three questions: what differs, what is
-- too much on the other side (up to the last name of the page; behind the last page, to the end), what has a bag.
WITH page AS MATERIALIZED (
    SELECT name, uid, revision, body FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
),
ends AS MATERIALIZED (
    SELECT count(*) AS many, max(name) AS last,
        CASE WHEN count(*) < {limit} THEN chr(1114111) ELSE max(name) END AS upto
    FROM page
),
made AS (
    SELECT name AS source_name, uid, revision, {unsure_expression} AS unsure, body @? {bags} AS bagged,
        {body_expression} AS made_body
    FROM page
),
held AS (
    -- Far more than the page has means that much is too much there, which pages of its own look at.
    SELECT name, uid, revision, body, owning_region = ANY({target_own}) AS own FROM {target_schema}.{target_table}
    WHERE shard = {shard} AND name > {after} AND name <= (SELECT upto FROM ends)
    ORDER BY name LIMIT {most}
)
SELECT count(held.name), (SELECT many FROM ends), (SELECT last FROM ends),
    coalesce(jsonb_object_agg(source_name, made.revision) FILTER (
        WHERE NOT unsure AND (held.name IS NULL OR held.uid <> made.uid OR held.revision <> made.revision
            OR held.body IS DISTINCT FROM made_body)),
    '{{}}'),
    coalesce(array_agg(source_name) FILTER (WHERE unsure), '{{}}'),
    coalesce(jsonb_object_agg(held.name, held.revision) FILTER (WHERE source_name IS NULL AND own), '{{}}'),
    coalesce(array_agg(source_name) FILTER (WHERE bagged), '{{}}')
FROM made FULL JOIN held ON held.name = source_name

-- name: compare_parts
-- Of a type that splits: each resource beside the one of its part; one of no part is a suspect.
WITH page AS MATERIALIZED (
    SELECT name, uid, revision, body FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
),
found AS (
    {parts}
    UNION ALL SELECT name, revision, true FROM page WHERE NOT ({condition})
)
SELECT (SELECT count(*) FROM page), (SELECT max(name) FROM page),
    coalesce((SELECT jsonb_object_agg(source_name, revision) FROM found WHERE differs), '{{}}')

-- name: compare_part
SELECT made.source_name, made.revision, held.name IS NULL OR held.uid <> made.uid OR held.revision <> made.revision
    OR held.body IS DISTINCT FROM made.made_body AS differs
FROM (
    SELECT name AS source_name, uid, revision, {name_expression} AS made_name, {body_expression} AS made_body
    FROM page WHERE {condition}
) made LEFT JOIN {target_schema}.{target_table} held ON held.name = made.made_name

-- name: absent_part
SELECT made.source_name, made.revision, held.name IS NULL AS differs
FROM (
    SELECT name AS source_name, revision, {name_expression} AS made_name FROM page WHERE {condition}
) made LEFT JOIN {target_schema}.{target_table} held ON held.name = made.made_name

-- name: absent_within
WITH page AS MATERIALIZED (
    SELECT {columns} FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
),
made AS (SELECT name AS source_name, revision, {name_expression} AS made_name FROM page)
SELECT count(*), max(source_name), coalesce(
    jsonb_object_agg(source_name, made.revision) FILTER (WHERE held.name IS NULL), '{{}}')
FROM made LEFT JOIN {target_schema}.{target_table} held ON held.name = made_name

-- name: names
SELECT name, revision FROM {source_schema}.{source_table}
WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
ORDER BY name LIMIT {limit}

-- name: names_between
SELECT name FROM {target_schema}.{target_table} WHERE shard = {shard} AND name > {after} AND name <= {last}

-- name: names_among
SELECT name FROM {target_schema}.{target_table} WHERE name = ANY({names})

-- name: between
SELECT name, uid, revision, shard, origin_shard, body, metadata, owning_region, create_time, update_time
FROM {target_schema}.{target_table} WHERE shard = {shard} AND name > {after} AND name <= {last}

-- name: count_within
WITH page AS MATERIALIZED (
    SELECT name, body FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
),
made AS (
    SELECT name AS source_name, {unsure_expression} AS unsure,
        {name_expression} AS made_name, {body_expression} AS made_body
    FROM page
)
SELECT count(*), max(source_name), count(*) FILTER (WHERE NOT unsure AND (made_name IS NULL OR made_body @? {bags})),
    coalesce(array_agg(source_name) FILTER (WHERE unsure), '{{}}')
FROM made

-- name: bagged_names
WITH page AS MATERIALIZED (
    SELECT name, body FROM {source_schema}.{source_table}
    WHERE shard = {shard} AND name > {after} AND owning_region = ANY({own})
    ORDER BY name LIMIT {limit}
)
SELECT count(*), max(name), coalesce(array_agg(name) FILTER (WHERE body @? {bags}), '{{}}') FROM page
