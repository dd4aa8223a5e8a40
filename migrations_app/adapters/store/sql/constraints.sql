-- name: tables
CREATE TABLE IF NOT EXISTS switchyard.shadow (
    deployment text NOT NULL,
    uid uuid NOT NULL,
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    names jsonb NOT NULL DEFAULT jsonb_build_object(),
    state text NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'DELETE_PENDING', 'DELETING')),
    ref_epoch bigint NOT NULL DEFAULT 0,
    delete_id bigint NOT NULL DEFAULT 0,
    sources text[] NOT NULL DEFAULT ARRAY[]::text[],
    root text NOT NULL DEFAULT '',
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, uid)
);
CREATE INDEX IF NOT EXISTS shadow_moving ON switchyard.shadow (deployment, uid) WHERE state <> 'ACTIVE';

CREATE TABLE IF NOT EXISTS switchyard.barred_name (
    deployment text NOT NULL,
    version text NOT NULL,
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    uid uuid NOT NULL,
    PRIMARY KEY (deployment, version, type, name)
);
CREATE INDEX IF NOT EXISTS barred_name_uid ON switchyard.barred_name (deployment, uid);

CREATE TABLE IF NOT EXISTS switchyard.blockade (
    deployment text NOT NULL,
    token text NOT NULL,
    uid uuid NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    established_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    resolve_after timestamptz NOT NULL,
    PRIMARY KEY (deployment, token, uid)
);
CREATE INDEX IF NOT EXISTS blockade_uid ON switchyard.blockade (deployment, uid);
CREATE INDEX IF NOT EXISTS blockade_due ON switchyard.blockade (deployment, resolve_after);

CREATE TABLE IF NOT EXISTS switchyard.ref_attempt (
    deployment text NOT NULL,
    token text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('COMMITTED', 'ABORTED')),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, token)
);
CREATE INDEX IF NOT EXISTS ref_attempt_at ON switchyard.ref_attempt (deployment, at);

CREATE TABLE IF NOT EXISTS switchyard.confirm_due (
    deployment text NOT NULL,
    token text NOT NULL,
    target text NOT NULL,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, token, target)
);
CREATE INDEX IF NOT EXISTS confirm_due_since ON switchyard.confirm_due (deployment, since);

CREATE TABLE IF NOT EXISTS switchyard.owner_reference (
    deployment text NOT NULL,
    ref_id uuid NOT NULL,
    uid uuid NOT NULL,
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    version text NOT NULL,
    owner text NOT NULL,
    owner_type text NOT NULL,
    owner_version text NOT NULL,
    owner_name text COLLATE "C" NOT NULL,
    requires boolean NOT NULL,
    unset boolean NOT NULL,
    owner_uid uuid,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    ask_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, ref_id)
);
CREATE INDEX IF NOT EXISTS owner_reference_uid ON switchyard.owner_reference (deployment, uid);
CREATE INDEX IF NOT EXISTS owner_reference_due ON switchyard.owner_reference (deployment, ask_at);
CREATE INDEX IF NOT EXISTS owner_reference_owner ON switchyard.owner_reference (deployment, owner, owner_uid);

CREATE TABLE IF NOT EXISTS switchyard.barred_reference (
    deployment text NOT NULL,
    ref_id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, ref_id)
);

CREATE TABLE IF NOT EXISTS switchyard.ownee_check (
    deployment text NOT NULL,
    uid uuid NOT NULL,
    target text NOT NULL,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (deployment, uid, target)
)

-- name: enter
DELETE FROM {schema}.shadow WHERE false

-- name: now
SELECT clock_timestamp()

-- name: draw
SELECT floor(extract(epoch FROM clock_timestamp()))::bigint || '-' || gen_random_uuid()

-- name: outcome
SELECT outcome FROM switchyard.ref_attempt WHERE deployment = %(deployment)s AND token = %(token)s

-- name: commit_attempt
WITH told AS (
    SELECT to_timestamp(split_part(%(token)s, '-', 1)::bigint) < clock_timestamp() - make_interval(secs => %(life)s) AS old
), decided AS (
    INSERT INTO switchyard.ref_attempt (deployment, token, outcome)
    SELECT %(deployment)s, %(token)s, 'COMMITTED' FROM told WHERE NOT old
    ON CONFLICT DO NOTHING RETURNING token
), owed AS (
    INSERT INTO switchyard.confirm_due (deployment, token, target)
    SELECT %(deployment)s, d.token, t.target FROM decided d, unnest(%(targets)s::text[]) t(target)
    ON CONFLICT DO NOTHING
)
SELECT told.old, EXISTS (SELECT FROM decided) FROM told

-- name: decide
INSERT INTO switchyard.ref_attempt (deployment, token, outcome) VALUES (%(deployment)s, %(token)s, %(outcome)s)
ON CONFLICT DO NOTHING RETURNING outcome

-- name: owe
INSERT INTO switchyard.confirm_due (deployment, token, target) VALUES (%(deployment)s, %(token)s, %(target)s)
ON CONFLICT DO NOTHING

-- name: paid
DELETE FROM switchyard.confirm_due
WHERE deployment = %(deployment)s AND token = ANY(%(tokens)s) AND target = %(target)s

-- name: owed
SELECT token, target, since FROM switchyard.confirm_due WHERE deployment = %(deployment)s
ORDER BY since LIMIT %(limit)s

-- name: block
INSERT INTO switchyard.blockade (deployment, token, uid, source, kind, resolve_after)
SELECT %(deployment)s, %(token)s, k.uid, %(source)s, k.kind, clock_timestamp() + make_interval(secs => %(seconds)s)
FROM unnest(%(uids)s::uuid[], %(kinds)s::text[]) k(uid, kind) ORDER BY k.uid
ON CONFLICT DO NOTHING

-- name: unblock
DELETE FROM switchyard.blockade
WHERE deployment = %(deployment)s AND token = ANY(%(tokens)s) AND source = %(source)s

-- name: ask_later
UPDATE switchyard.blockade SET resolve_after = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE deployment = %(deployment)s AND token = %(token)s

-- name: blockades
SELECT token, uid, source, kind, resolve_after FROM switchyard.blockade
WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s) ORDER BY token

-- name: overdue
SELECT token, uid, source, kind, resolve_after FROM switchyard.blockade
WHERE deployment = %(deployment)s AND resolve_after <= clock_timestamp() ORDER BY resolve_after LIMIT %(limit)s

-- name: standing
SELECT token, uid, source, kind, resolve_after FROM switchyard.blockade
WHERE deployment = %(deployment)s AND established_at <= clock_timestamp() - make_interval(secs => %(seconds)s)
ORDER BY established_at, token LIMIT %(limit)s

-- name: shadow_of
SELECT type, name, state, ref_epoch, delete_id, sources, uid, names, root, since FROM switchyard.shadow
WHERE deployment = %(deployment)s AND uid = %(uid)s

-- name: lock_shadows_of
SELECT type, name, state, ref_epoch, delete_id, sources, uid, names, root, since FROM switchyard.shadow
WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s) ORDER BY uid FOR UPDATE

-- name: shadow
SELECT coalesce(s.state, 'ACTIVE'), coalesce(s.ref_epoch, 0), coalesce(s.delete_id, 0),
    coalesce(s.sources, ARRAY[]::text[]), t.uid, coalesce(s.names, jsonb_build_object()), coalesce(s.root, ''), s.since
FROM {schema}.{table} t
LEFT JOIN switchyard.shadow s ON s.deployment = %(deployment)s AND s.uid = t.uid
WHERE t.name = %(name)s

-- name: shadows
SELECT t.name, coalesce(s.state, 'ACTIVE'), coalesce(s.ref_epoch, 0), coalesce(s.delete_id, 0),
    coalesce(s.sources, ARRAY[]::text[]), t.uid, coalesce(s.names, jsonb_build_object()), coalesce(s.root, ''), s.since
FROM {schema}.{table} t
LEFT JOIN switchyard.shadow s ON s.deployment = %(deployment)s AND s.uid = t.uid
WHERE t.name = ANY(%(names)s)

-- name: barred
SELECT s.state, s.ref_epoch, s.delete_id, s.sources, s.uid, s.names, s.root, s.since
FROM switchyard.barred_name b
JOIN switchyard.shadow s ON s.deployment = b.deployment AND s.uid = b.uid
WHERE b.deployment = %(deployment)s AND b.version = %(version)s AND b.type = %(type)s AND b.name = %(name)s

-- name: write
INSERT INTO switchyard.shadow
    (deployment, uid, type, name, names, state, ref_epoch, delete_id, sources, root, since)
SELECT %(deployment)s, w.uid, w.type, w.name, w.names, w.state, w.ref_epoch, w.delete_id, w.sources, w.root,
    clock_timestamp()
FROM jsonb_to_recordset(%(shadows)s) w(uid uuid, type text, name text, names jsonb, state text, ref_epoch bigint,
    delete_id bigint, sources text[], root text)
ORDER BY w.uid
ON CONFLICT (deployment, uid) DO UPDATE SET type = excluded.type, name = excluded.name, names = excluded.names,
    ref_epoch = excluded.ref_epoch, delete_id = excluded.delete_id, sources = excluded.sources,
    root = excluded.root, state = excluded.state,
    since = CASE WHEN switchyard.shadow.state = excluded.state THEN switchyard.shadow.since ELSE excluded.since END

-- name: bar
INSERT INTO switchyard.barred_name (deployment, version, type, name, uid)
SELECT DISTINCT ON (w.version, w.type, w.name) %(deployment)s, w.version, w.type, w.name, w.uid
FROM jsonb_to_recordset(%(names)s) w(version text, type text, name text, uid uuid)
ORDER BY w.version, w.type, w.name
ON CONFLICT (deployment, version, type, name) DO UPDATE SET uid = excluded.uid

-- name: unbar
DELETE FROM switchyard.barred_name WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s)

-- name: forget
DELETE FROM switchyard.shadow WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s)

-- name: forget_active
DELETE FROM switchyard.shadow WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s) AND state = 'ACTIVE'

-- name: forget_blockades
DELETE FROM switchyard.blockade WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s)

-- name: moving
SELECT type, name, state, ref_epoch, delete_id, sources, uid, names, root, since FROM switchyard.shadow
WHERE deployment = %(deployment)s AND state <> 'ACTIVE' AND uid > %(after)s ORDER BY uid LIMIT %(limit)s

-- name: deleting_for
SELECT type, name, state, ref_epoch, delete_id, sources, uid, names, root, since FROM switchyard.shadow
WHERE deployment = %(deployment)s AND state <> 'ACTIVE' AND state = 'DELETING' AND uid > %(after)s
    AND %(source)s = ANY(sources)
ORDER BY uid LIMIT %(limit)s

-- name: tally
SELECT
    (SELECT count(*) FROM switchyard.confirm_due WHERE deployment = %(deployment)s),
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8
     FROM switchyard.confirm_due WHERE deployment = %(deployment)s),
    b.count, b.age, b.overdue, s.pending, s.deleting, s.age
FROM
    (SELECT count(*) AS count, coalesce(extract(epoch FROM clock_timestamp() - min(established_at)), 0)::float8 AS age,
        count(*) FILTER (WHERE resolve_after <= clock_timestamp()) AS overdue
     FROM switchyard.blockade WHERE deployment = %(deployment)s) b,
    (SELECT count(*) FILTER (WHERE state = 'DELETE_PENDING') AS pending,
        count(*) FILTER (WHERE state = 'DELETING') AS deleting,
        coalesce(extract(epoch FROM clock_timestamp() - min(since) FILTER (WHERE state = 'DELETING')), 0)::float8 AS age
     FROM switchyard.shadow WHERE deployment = %(deployment)s AND state <> 'ACTIVE') s

-- name: release_blockades
DELETE FROM switchyard.blockade WHERE deployment = %(deployment)s AND source = %(source)s

-- name: release_owed
DELETE FROM switchyard.confirm_due WHERE deployment = %(deployment)s AND target = %(source)s

-- name: release_checks
DELETE FROM switchyard.ownee_check WHERE deployment = %(deployment)s AND target = %(source)s

-- name: page_end
SELECT uid FROM switchyard.shadow WHERE deployment = %(deployment)s AND uid > %(after)s ORDER BY uid
OFFSET %(limit)s - 1 LIMIT 1

-- name: release_sources
UPDATE switchyard.shadow SET sources = array_remove(sources, %(source)s), ref_epoch = ref_epoch + 1
WHERE deployment = %(deployment)s AND uid > %(after)s AND uid <= %(upto)s AND %(source)s = ANY(sources)

-- name: prune
DELETE FROM switchyard.ref_attempt a USING (
    SELECT token FROM switchyard.ref_attempt
    WHERE deployment = %(deployment)s AND at < clock_timestamp() - make_interval(secs => %(kept)s)
    ORDER BY at LIMIT %(limit)s) old
WHERE a.deployment = %(deployment)s AND a.token = old.token

-- name: held
SELECT type, name, ordinal, path, kind, target_service, target_region, target_version, target_type, target_name
FROM {schema}.reference
WHERE (type, name, ordinal) > (%(type)s, %(name)s, %(ordinal)s) AND kind IN ('BLOCK', 'CASCADE', 'UNSET')
ORDER BY type, name, ordinal LIMIT %(limit)s

-- name: owners_of
SELECT ref_id, uid, type, name, version, owner, owner_type, owner_version, owner_name, requires, unset, owner_uid,
    extract(epoch FROM clock_timestamp() - since)::float8
FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND uid = %(uid)s ORDER BY ref_id

-- name: owners_due
SELECT ref_id, uid, type, name, version, owner, owner_type, owner_version, owner_name, requires, unset, owner_uid,
    extract(epoch FROM clock_timestamp() - since)::float8
FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND ask_at <= clock_timestamp() ORDER BY ask_at LIMIT %(limit)s

-- name: owners_page
SELECT ref_id, uid, type, name, version, owner, owner_type, owner_version, owner_name, requires, unset, owner_uid,
    extract(epoch FROM clock_timestamp() - since)::float8
FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND ref_id > %(after)s ORDER BY ref_id LIMIT %(limit)s

-- name: owned_by
SELECT ref_id, uid, type, name, version, owner, owner_type, owner_version, owner_name, requires, unset, owner_uid,
    extract(epoch FROM clock_timestamp() - since)::float8
FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND owner = %(owner)s AND owner_uid = ANY(%(uids)s)
ORDER BY ref_id LIMIT 1000

-- name: owning
SELECT DISTINCT owner_uid FROM switchyard.owner_reference
WHERE deployment = %(deployment)s AND owner = %(owner)s AND owner_uid = ANY(%(uids)s)

-- name: link_owner
INSERT INTO switchyard.owner_reference (deployment, ref_id, uid, type, name, version, owner, owner_type,
    owner_version, owner_name, requires, unset, owner_uid)
VALUES (%(deployment)s, %(ref_id)s, %(uid)s, %(type)s, %(name)s, %(version)s, %(owner)s, %(owner_type)s,
    %(owner_version)s, %(owner_name)s, %(requires)s, %(unset)s, %(owner_uid)s)

-- name: confirm_owner
UPDATE switchyard.owner_reference SET owner_uid = %(owner_uid)s, owner_type = %(owner_type)s,
    owner_version = %(owner_version)s, owner_name = %(owner_name)s,
    ask_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE deployment = %(deployment)s AND ref_id = %(ref_id)s

-- name: ask_owner_later
UPDATE switchyard.owner_reference SET ask_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE deployment = %(deployment)s AND ref_id = %(ref_id)s

-- name: drop_owner
DELETE FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND ref_id = %(ref_id)s

-- name: forget_owners
DELETE FROM switchyard.owner_reference WHERE deployment = %(deployment)s AND uid = ANY(%(uids)s)

-- name: bar_owner
INSERT INTO switchyard.barred_reference (deployment, ref_id) VALUES (%(deployment)s, %(ref_id)s)
ON CONFLICT DO NOTHING

-- name: is_barred_owner
SELECT 1 FROM switchyard.barred_reference WHERE deployment = %(deployment)s AND ref_id = %(ref_id)s

-- name: hurry_owners
UPDATE switchyard.owner_reference SET ask_at = clock_timestamp()
WHERE deployment = %(deployment)s AND owner = %(owner)s AND owner_version <> %(version)s
    AND ask_at > clock_timestamp()

-- name: recheck_owners
UPDATE switchyard.owner_reference SET ask_at = clock_timestamp()
WHERE deployment = %(deployment)s AND owner = %(owner)s AND owner_uid = ANY(%(uids)s) AND requires
    AND ask_at > clock_timestamp()

-- name: note_checks
INSERT INTO switchyard.ownee_check (deployment, uid, target)
SELECT %(deployment)s, %(uid)s, t.target FROM unnest(%(targets)s::text[]) t(target) ORDER BY t.target
ON CONFLICT (deployment, uid, target) DO UPDATE SET since = excluded.since

-- name: ownee_checks
SELECT uid, target, since FROM switchyard.ownee_check WHERE deployment = %(deployment)s
ORDER BY since LIMIT %(limit)s

-- name: drop_checks
DELETE FROM switchyard.ownee_check c
USING unnest(%(uids)s::uuid[], %(targets)s::text[], %(times)s::timestamptz[]) d(uid, target, since)
WHERE c.deployment = %(deployment)s AND c.uid = d.uid AND c.target = d.target AND c.since = d.since

-- name: sources
SELECT DISTINCT unnest(sources) FROM switchyard.shadow WHERE deployment = %(deployment)s ORDER BY 1
