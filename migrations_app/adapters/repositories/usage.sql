-- name: add
INSERT INTO switchyard_usagecount AS known
    (day, service, version, region, method, path, state, client, release, count, looked, first_seen,
    last_seen)
SELECT * FROM unnest(%s::date[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::bigint[], %s::bigint[], %s::timestamptz[], %s::timestamptz[])
ORDER BY 2, 3, 1, 4, 5, 6, 7, 8, 9
ON CONFLICT (service, version, day, region, method, path, state, client, release) DO UPDATE SET
    count = known.count + excluded.count,
    looked = known.looked + excluded.looked,
    first_seen = least(known.first_seen, excluded.first_seen),
    last_seen = greatest(known.last_seen, excluded.last_seen)

-- name: refuse
INSERT INTO switchyard_brownoutrefusal AS known
    (brown_out_id, day, region, method, client, release, count, last_seen)
SELECT * FROM unnest(%s::text[], %s::date[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[],
    %s::timestamptz[])
ORDER BY 1, 2, 3, 4, 5, 6
ON CONFLICT (brown_out_id, day, region, method, client, release) DO UPDATE SET
    count = known.count + excluded.count,
    last_seen = greatest(known.last_seen, excluded.last_seen)

-- name: gap
INSERT INTO switchyard_usagegap AS known (day, count) VALUES (%s, %s)
ON CONFLICT (day) DO UPDATE SET count = known.count + excluded.count
