-- name: add
INSERT INTO switchyard_shadowread AS known (place, type, path, compared, differing, name)
SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[])
ORDER BY 1, 2, 3
ON CONFLICT (place, type, path) DO UPDATE SET
    compared = known.compared + excluded.compared,
    differing = known.differing + excluded.differing,
    name = CASE WHEN excluded.name = '' THEN known.name ELSE excluded.name END,
    last_at = now()
