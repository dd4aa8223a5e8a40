-- name: put
INSERT INTO {schema}.search AS s (type, name, revision, words)
SELECT %(type)s, e.name, e.revision, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(e.words)))
FROM unnest(%(names)s::text[], %(revisions)s::bigint[], %(words)s::jsonb[]) AS e(name, revision, words)
ORDER BY e.name
ON CONFLICT (type, name) DO UPDATE SET revision = excluded.revision, words = excluded.words
WHERE s.revision < excluded.revision

-- name: remove
DELETE FROM {schema}.search s WHERE s.type = %(type)s AND s.name = ANY(%(names)s)
    AND NOT EXISTS (SELECT FROM {schema}.{table} t WHERE t.name = s.name)

-- name: behind
SELECT t.name FROM {schema}.{table} t LEFT JOIN {schema}.search s ON s.type = %(type)s AND s.name = t.name
WHERE s.revision IS NULL OR s.revision < t.revision LIMIT %(limit)s

-- name: remove_lost
DELETE FROM {schema}.search s WHERE s.type = %(type)s
    AND NOT EXISTS (SELECT FROM {schema}.{table} t WHERE t.name = s.name)

-- name: find
SELECT s.name FROM {schema}.search s
WHERE s.type = %(type)s AND s.name > %(after)s AND s.name ~ %(parent)s
    AND s.words @@ (SELECT string_agg(quote_literal(rtrim(word, '*')) || CASE WHEN word LIKE '%%*' THEN ':*' ELSE '' END,
        ' & ') FROM unnest(%(words)s::text[]) word)::tsquery
ORDER BY s.name LIMIT %(limit)s
