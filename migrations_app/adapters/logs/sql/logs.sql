-- name: tables
-- Entries of the change logs that left their feeds: they outlive the namespace of their version.
CREATE TABLE IF NOT EXISTS switchyard.resource_change (
    deployment text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    seq bigint NOT NULL,
    operation text NOT NULL,
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    uid uuid NOT NULL,
    revision bigint NOT NULL,
    request text NOT NULL,
    before jsonb,
    after jsonb,
    PRIMARY KEY (deployment, at, version, seq)
);
CREATE INDEX IF NOT EXISTS resource_change_uid ON switchyard.resource_change (deployment, uid, at);
CREATE INDEX IF NOT EXISTS resource_change_name ON switchyard.resource_change (deployment, name, at);

CREATE TABLE IF NOT EXISTS switchyard.activity (
    deployment text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    version text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    caller text COLLATE "C" NOT NULL,
    client text NOT NULL,
    status integer NOT NULL,
    error text NOT NULL,
    milliseconds double precision NOT NULL,
    request_id text NOT NULL,
    served text NOT NULL,
    via text NOT NULL,
    weight double precision NOT NULL,
    reads boolean NOT NULL,
    PRIMARY KEY (deployment, at, number)
);
CREATE INDEX IF NOT EXISTS activity_name ON switchyard.activity (deployment, name, at);
CREATE INDEX IF NOT EXISTS activity_caller ON switchyard.activity (deployment, caller, at);

CREATE TABLE IF NOT EXISTS switchyard.activity_writer (
    deployment text COLLATE "C" NOT NULL,
    process text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    flushed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    entries bigint NOT NULL DEFAULT 0,
    dropped bigint NOT NULL DEFAULT 0,
    settled boolean NOT NULL,
    PRIMARY KEY (deployment, process)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS switchyard.conversion_record (
    session text COLLATE "C" NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    deployment text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    caller text NOT NULL,
    request_id text NOT NULL,
    direction text NOT NULL,
    source_version text NOT NULL,
    target_version text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    document jsonb NOT NULL,
    before jsonb,
    outcome text NOT NULL,
    output_name text NOT NULL,
    output jsonb,
    milliseconds double precision NOT NULL,
    PRIMARY KEY (session, number)
);

-- A document without what is at a path; `*` stands for every element of a list and every value of a map.
CREATE OR REPLACE FUNCTION switchyard.redacted(document jsonb, path text[]) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF cardinality(path) = 0 THEN
        RETURN CASE WHEN jsonb_typeof(document) = 'null' THEN document ELSE '"[redacted]"'::jsonb END;
    ELSIF path[1] = '*' AND jsonb_typeof(document) = 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(switchyard.redacted(e.value, path[2:]) ORDER BY e.ordinality), document)
            FROM jsonb_array_elements(document) WITH ORDINALITY e);
    ELSIF path[1] = '*' AND jsonb_typeof(document) = 'object' THEN
        RETURN (SELECT coalesce(jsonb_object_agg(e.key, switchyard.redacted(e.value, path[2:])), document)
            FROM jsonb_each(document) e);
    ELSIF jsonb_typeof(document) = 'object' AND document ? path[1] THEN
        RETURN jsonb_set(document, path[1:1], switchyard.redacted(document -> path[1], path[2:]));
    END IF;
    RETURN document;
END $$;

-- What the change log keeps of a resource: no property bag, which holds values of other versions, nothing sensitive.
-- Most paths are one field of the body: such a path costs no query, only expressions.
CREATE OR REPLACE FUNCTION switchyard.without_sensitive(body jsonb, paths text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    listed CONSTANT jsonb := paths::jsonb;
    path jsonb;
BEGIN
    FOR i IN 0 .. jsonb_array_length(listed) - 1 LOOP
        path := listed -> i;
        IF jsonb_array_length(path) > 1 OR path ->> 0 = '*' THEN
            body := switchyard.redacted(body, ARRAY(SELECT jsonb_array_elements_text(path)));
        ELSIF jsonb_typeof(body -> (path ->> 0)) <> 'null' THEN
            body := jsonb_set(body, ARRAY[path ->> 0], '"[redacted]"');
        END IF;
    END LOOP;
    RETURN body;
END $$;

-- One expression, so that it is evaluated where it is called.
CREATE OR REPLACE FUNCTION switchyard.logged(body jsonb, metadata jsonb, paths text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT jsonb_build_object('metadata', metadata, 'body',
        CASE WHEN paths = '[]' THEN body - '$sy' ELSE switchyard.without_sensitive(body - '$sy', paths) END)
$$

-- name: exists
SELECT to_regclass('switchyard.resource_change') IS NOT NULL

-- name: logging
SELECT n.nspname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ANY(%s::text[]) AND c.relname = 'change' AND a.attname = 'after' AND NOT a.attisdropped

-- name: of_feed
SELECT {version}::text, at, seq, operation, type, name, uid, revision, request, before, after
FROM {schema}.change WHERE {where} ORDER BY at DESC, seq DESC LIMIT {limit}

-- name: of_log
SELECT version, at, seq, operation, type, name, uid, revision, request, before, after
FROM switchyard.resource_change WHERE {where} ORDER BY at DESC, version DESC, seq DESC LIMIT {limit}

-- name: forget_changes
DELETE FROM switchyard.resource_change WHERE (deployment, at, version, seq) IN (
    SELECT old.* FROM unnest(%(deployments)s::text[], %(days)s::float8[]) AS kept (deployment, days)
    CROSS JOIN LATERAL (
        SELECT c.deployment, c.at, c.version, c.seq FROM switchyard.resource_change c
        WHERE c.deployment = kept.deployment AND c.at < clock_timestamp() - make_interval(secs => kept.days * 86400)
        ORDER BY c.at LIMIT %(limit)s
    ) AS old LIMIT %(limit)s)

-- name: append_activity
INSERT INTO switchyard.activity
    (deployment, at, version, method, type, name, caller, client, status, error, milliseconds, request_id, served, via,
    weight, reads)
SELECT * FROM jsonb_to_recordset(%(entries)s) AS e(deployment text, at timestamptz, version text, method text, type text,
    name text, caller text, client text, status integer, error text, milliseconds double precision, request_id text,
    served text, via text, weight double precision, reads boolean)

-- name: note_writer
INSERT INTO switchyard.activity_writer AS w (deployment, process, entries, dropped, settled)
VALUES (%(deployment)s, %(process)s, %(entries)s, %(dropped)s, %(settled)s)
ON CONFLICT (deployment, process) DO UPDATE SET entries = w.entries + excluded.entries,
    dropped = w.dropped + excluded.dropped, settled = excluded.settled, flushed_at = clock_timestamp()

-- name: activity
SELECT deployment, at, version, method, type, name, caller, client, status, error, milliseconds, request_id, served, via,
    weight, reads, number
FROM switchyard.activity WHERE {where} ORDER BY at DESC, number DESC LIMIT {limit}

-- name: writers
SELECT process, started_at, flushed_at, entries, dropped, settled,
    extract(epoch FROM clock_timestamp() - flushed_at)::double precision
FROM switchyard.activity_writer WHERE deployment = %s ORDER BY started_at, process

-- name: has_activity
SELECT to_regclass('switchyard.activity') IS NOT NULL

-- name: forget_activity
WITH kept AS (
    SELECT * FROM unnest(%(deployments)s::text[], %(days)s::float8[]) AS kept (deployment, days)
), writers AS (
    DELETE FROM switchyard.activity_writer w USING kept
    WHERE w.deployment = kept.deployment AND w.flushed_at < clock_timestamp() - make_interval(secs => kept.days * 86400)
)
DELETE FROM switchyard.activity WHERE (deployment, at, number) IN (
    SELECT old.* FROM kept CROSS JOIN LATERAL (
        SELECT a.deployment, a.at, a.number FROM switchyard.activity a
        WHERE a.deployment = kept.deployment AND a.at < clock_timestamp() - make_interval(secs => kept.days * 86400)
        ORDER BY a.at LIMIT %(limit)s
    ) AS old LIMIT %(limit)s)

-- name: lock_session
SELECT pg_advisory_xact_lock(hashtextextended(%s, 7))

-- name: append_records
INSERT INTO switchyard.conversion_record
    (session, deployment, at, caller, request_id, direction, source_version, target_version, type, name, document, before,
    outcome, output_name, output, milliseconds)
SELECT session, deployment, at, caller, request_id, direction, source_version, target_version, type, name, document, before,
    outcome, output_name, output, milliseconds
FROM ROWS FROM (jsonb_to_recordset(%(records)s) AS (session text, deployment text, at timestamptz, caller text,
    request_id text, direction text, source_version text, target_version text, type text, name text, document jsonb,
    before jsonb, outcome text, output_name text, output jsonb, milliseconds double precision)) WITH ORDINALITY
ORDER BY ordinality
LIMIT greatest(0, %(most)s - (SELECT count(*) FROM switchyard.conversion_record WHERE session = %(session)s))

-- name: records
SELECT session, deployment, at, caller, request_id, direction, source_version, target_version, type, name, document, before,
    outcome, output_name, output, milliseconds, number
FROM switchyard.conversion_record WHERE session = %(session)s AND number > %(after)s ORDER BY number LIMIT %(limit)s

-- name: record_counts
SELECT session, count(*) FROM switchyard.conversion_record WHERE session = ANY(%s) GROUP BY session

-- name: has_records
SELECT to_regclass('switchyard.conversion_record') IS NOT NULL

-- name: forget_records
DELETE FROM switchyard.conversion_record WHERE (session, number) IN (
    SELECT r.session, r.number FROM switchyard.conversion_record r
    JOIN unnest(%(deployments)s::text[], %(days)s::float8[]) AS kept (deployment, days) USING (deployment)
    WHERE r.at < clock_timestamp() - make_interval(secs => kept.days * 86400)
    LIMIT %(limit)s)
