-- name: create
CREATE SCHEMA IF NOT EXISTS {schema};

CREATE TABLE IF NOT EXISTS {schema}.resource_type (
    name text COLLATE "C" PRIMARY KEY,
    by_uid boolean NOT NULL DEFAULT false,
    indexes text[] NOT NULL DEFAULT ARRAY[]::text[]
);
ALTER TABLE {schema}.resource_type ADD COLUMN IF NOT EXISTS sensitive jsonb NOT NULL DEFAULT jsonb_build_array();

-- The key begins with the shard because followers read one shard each, and then needs no second index.
CREATE TABLE IF NOT EXISTS {schema}.change (
    shard integer NOT NULL,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    seq bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    operation text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    uid uuid,
    revision bigint NOT NULL,
    origin text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (shard, xid, seq)
);
-- What the resource change log shows of a client's write: the resource before and after, and who made the request.
-- One row carries the feed and the log, so that a write pays for no second one.
ALTER TABLE {schema}.change ADD COLUMN IF NOT EXISTS request text, ADD COLUMN IF NOT EXISTS before jsonb,
    ADD COLUMN IF NOT EXISTS after jsonb;

CREATE TABLE IF NOT EXISTS {schema}.tombstone (
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    uid uuid NOT NULL,
    revision bigint NOT NULL,
    time timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (type, name)
);

CREATE TABLE IF NOT EXISTS {schema}.heartbeat (
    shard integer PRIMARY KEY,
    beat_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS {schema}.cursor (
    follower text NOT NULL,
    shard integer NOT NULL,
    xid xid8 NOT NULL,
    seq bigint NOT NULL,
    reached_xid xid8,
    reached_seq bigint,
    epoch bigint,
    advanced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    dead boolean NOT NULL DEFAULT false,
    PRIMARY KEY (follower, shard)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS {schema}.trimmed (
    shard integer PRIMARY KEY,
    xid xid8 NOT NULL,
    seq bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS {schema}.shadow (
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    state text NOT NULL DEFAULT 'ACTIVE',
    ref_epoch bigint NOT NULL DEFAULT 0,
    delete_id bigint NOT NULL DEFAULT 0,
    sources text[] NOT NULL DEFAULT ARRAY[]::text[],
    PRIMARY KEY (type, name)
);

CREATE TABLE IF NOT EXISTS {schema}.reference (
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    ordinal integer NOT NULL,
    path text NOT NULL,
    kind text NOT NULL,
    target_service text NOT NULL,
    target_region text NOT NULL,
    target_version text NOT NULL,
    target_type text NOT NULL,
    target_name text COLLATE "C" NOT NULL,
    PRIMARY KEY (type, name, ordinal)
);
CREATE INDEX IF NOT EXISTS reference_target ON {schema}.reference (target_service, target_name);

CREATE TABLE IF NOT EXISTS {schema}.copy_source (
    region text PRIMARY KEY,
    position text NOT NULL,
    stage text NOT NULL,
    cursor text NOT NULL,
    compared_at timestamptz,
    level_at timestamptz,
    heard_at timestamptz,
    waiting bigint NOT NULL,
    problem text NOT NULL,
    rev bigint NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE {schema}.copy_source ADD COLUMN IF NOT EXISTS problem_phrases jsonb NOT NULL DEFAULT jsonb_build_array();

CREATE TABLE IF NOT EXISTS {schema}.search (
    type text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (type, name)
);
CREATE INDEX IF NOT EXISTS search_words ON {schema}.search USING gin (words);

-- One after the other in the order given, so that two who hold the same never wait for each other.
CREATE OR REPLACE FUNCTION {schema}.hold(types text[], names text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. cardinality(types) LOOP
        PERFORM FROM {schema}.shadow s WHERE s.type = types[i] AND s.name = names[i] FOR SHARE;
        IF NOT FOUND THEN
            INSERT INTO {schema}.shadow (type, name) VALUES (types[i], names[i]) ON CONFLICT DO NOTHING;
            PERFORM FROM {schema}.shadow s WHERE s.type = types[i] AND s.name = names[i] FOR SHARE;
        END IF;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION {schema}.capture() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    came_from text;
    latest bigint;
    requested text;
BEGIN
    -- Here rather than as the trigger's WHEN, which every statement would parse anew.
    IF current_setting('switchyard.capture', true) = 'off' THEN
        RETURN NULL;
    END IF;
    came_from := split_part(coalesce(current_setting('switchyard.warrant', true), ''), '@', 1);
    requested := current_setting('switchyard.request', true);
    IF TG_OP = 'DELETE' THEN
        INSERT INTO {schema}.tombstone AS t (type, name, uid, revision)
        VALUES (TG_ARGV[0], OLD.name, OLD.uid, OLD.revision + 1)
        ON CONFLICT (type, name) DO UPDATE
            SET uid = excluded.uid, revision = greatest(t.revision, excluded.revision), time = excluded.time
        RETURNING revision INTO latest;
        INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin, request, before)
        VALUES (OLD.shard, 'delete', TG_ARGV[0], OLD.name, OLD.uid, latest, came_from, requested,
            CASE WHEN came_from = '' THEN switchyard.logged(OLD.body, OLD.metadata, TG_ARGV[1]) END);
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        -- Deleted by another transaction while this one waited: its tombstone was not seen yet.
        SELECT revision INTO latest FROM {schema}.tombstone WHERE type = TG_ARGV[0] AND name = NEW.name;
        IF latest >= NEW.revision THEN
            RAISE EXCEPTION 'the tombstone of % is at revision %', NEW.name, latest USING ERRCODE = 'SYR01';
        END IF;
    ELSIF NEW.revision <= OLD.revision OR NEW.name <> OLD.name OR NEW.shard <> OLD.shard THEN
        RAISE EXCEPTION 'an update raises the revision and keeps the name' USING ERRCODE = 'SYR02';
    END IF;
    IF came_from <> '' THEN
        INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
        VALUES (NEW.shard, 'put', TG_ARGV[0], NEW.name, NEW.uid, NEW.revision, came_from);
        RETURN NULL;
    END IF;
    INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin, request, before, after)
    VALUES (NEW.shard, 'put', TG_ARGV[0], NEW.name, NEW.uid, NEW.revision, came_from, requested,
        CASE WHEN TG_OP = 'UPDATE' THEN switchyard.logged(OLD.body, OLD.metadata, TG_ARGV[1]) END,
        switchyard.logged(NEW.body, NEW.metadata, TG_ARGV[1]));
    RETURN NULL;
END $$;

-- name: shared
CREATE SCHEMA IF NOT EXISTS switchyard;

-- When the feeds of a database were looked at last, and since when each feed has not moved: who keeps copies of a source
-- at rest is level as of the last look without a row of its own being written.
CREATE TABLE IF NOT EXISTS switchyard.feed_look (
    watched text COLLATE "C" PRIMARY KEY,
    looked_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Which server gave the feeds of this database their transaction numbers. On another one they begin anew, below those of
-- the entries that were restored from a dump: nobody could follow such a feed.
CREATE TABLE IF NOT EXISTS switchyard.feed_server (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    identifier text NOT NULL
);
INSERT INTO switchyard.feed_server (identifier)
SELECT system_identifier::text FROM pg_control_system() ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS switchyard.feed_rest (
    deployment text COLLATE "C" NOT NULL,
    watched text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (deployment, watched)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS switchyard.fence (
    deployment text PRIMARY KEY,
    active_version text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('OPEN', 'FROZEN', 'CLOSED')),
    epoch bigint NOT NULL,
    freeze_deadline timestamptz,
    frozen_at timestamptz,
    freeze_end jsonb NOT NULL DEFAULT jsonb_build_object(),
    reverse_start text,
    parity_epoch bigint,
    freeze_milliseconds double precision,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- What the guards of namespaces ask when a write is not the ordinary one: of a client, in the active version.
CREATE OR REPLACE FUNCTION switchyard.judge(deployment text, version text, active text, mode text, epoch bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    warrant text := coalesce(current_setting('switchyard.warrant', true), '');
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'writers use READ COMMITTED' USING ERRCODE = 'SYF03';
    END IF;
    IF warrant <> '' THEN
        IF active IS DISTINCT FROM split_part(warrant, '@', 1)
            OR epoch IS DISTINCT FROM split_part(warrant, '@', 2)::bigint
            OR (active = version AND mode <> 'CLOSED') THEN
            RAISE EXCEPTION 'the follower''s warrant % is void at epoch %', warrant, epoch
                USING ERRCODE = 'SYF04';
        END IF;
        RETURN;
    END IF;
    IF active IS DISTINCT FROM version THEN
        RAISE EXCEPTION 'version % is not active, % is', version, active
            USING ERRCODE = 'SYF02', DETAIL = coalesce(active, '');
    ELSIF mode = 'FROZEN' THEN
        RAISE EXCEPTION 'writes of % pause', deployment USING ERRCODE = 'SYF01';
    ELSIF mode <> 'OPEN' THEN
        RAISE EXCEPTION 'this database of % is closed', deployment USING ERRCODE = 'SYF05';
    END IF;
END $$;

-- The low bits of a product depend on the low bits of its factors alone, so a ring that is a power of two
-- needs no 64-bit arithmetic: 5 and 435 are the low bits of FNV-1a's offset and prime.
CREATE OR REPLACE FUNCTION switchyard.shard_of(name text, ring integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bytes bytea := convert_to(name, 'UTF8');
    low bigint;
    high bigint;
    mask integer := ring - 1;
    bucket integer;
BEGIN
    IF ring & mask = 0 AND ring <= 65536 THEN
        bucket := x'2325'::integer & mask;
        FOR i IN 0 .. length(bytes) - 1 LOOP
            bucket := ((bucket # get_byte(bytes, i)) * 435) & mask;
        END LOOP;
        RETURN bucket;
    END IF;
    low := x'84222325'::bigint;
    high := x'cbf29ce4'::bigint;
    FOR i IN 0 .. length(bytes) - 1 LOOP
        low := low # get_byte(bytes, i);
        high := (high * 435 + ((low * 435) >> 32) + (low << 8)) & 4294967295;
        low := (low * 435) & 4294967295;
    END LOOP;
    RETURN ((high::numeric * 4294967296 + low) % ring)::integer;
END $$;

-- name: table
CREATE TABLE IF NOT EXISTS {schema}.{table} (
    name text COLLATE "C" PRIMARY KEY,
    shard integer NOT NULL,
    origin_shard integer NOT NULL,
    uid uuid NOT NULL,
    revision bigint NOT NULL,
    body jsonb NOT NULL,
    metadata jsonb NOT NULL,
    owning_region text NOT NULL,
    create_time timestamptz NOT NULL,
    update_time timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS {shard_index} ON {schema}.{table} (shard, name);

CREATE OR REPLACE TRIGGER capture AFTER INSERT OR UPDATE OR DELETE ON {schema}.{table}
    FOR EACH ROW EXECUTE FUNCTION {schema}.capture({type}, {sensitive});

-- name: guard_function
CREATE OR REPLACE FUNCTION {schema}.guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    active text;
    mode text;
    epoch bigint;
BEGIN
    -- An expression costs half of what PERFORM does; it is never null.
    IF pg_advisory_xact_lock_shared({key}) IS NULL THEN
        RETURN NULL;
    END IF;
    -- A statement of its own: it must see what was committed while the lock was waited for.
    SELECT f.active_version, f.mode, f.epoch INTO active, mode, epoch
    FROM switchyard.fence f WHERE f.deployment = {deployment};
    IF active = {version} AND mode = 'OPEN' AND current_setting('transaction_isolation') = 'read committed'
        AND coalesce(current_setting('switchyard.warrant', true), '') = '' THEN
        RETURN NULL;
    END IF;
    PERFORM switchyard.judge({deployment}, {version}, active, mode, epoch);
    RETURN NULL;
END $$

-- name: guard
CREATE OR REPLACE TRIGGER guard BEFORE INSERT OR UPDATE OR DELETE ON {schema}.{table}
    FOR EACH STATEMENT EXECUTE FUNCTION {schema}.guard();

-- Also for those who leave ordinary triggers out, as a backfill does.
ALTER TABLE {schema}.{table} ENABLE ALWAYS TRIGGER guard

-- name: note_edition
COMMENT ON SCHEMA {schema} IS {edition}

-- name: edition
SELECT obj_description(to_regnamespace(%s), 'pg_namespace')

-- name: note_type
INSERT INTO {schema}.resource_type (name, by_uid, indexes, sensitive) VALUES (%s, %s, %s, %s)
ON CONFLICT (name) DO UPDATE SET by_uid = excluded.by_uid, indexes = excluded.indexes, sensitive = excluded.sensitive

-- name: types
SELECT name FROM {schema}.resource_type ORDER BY name

-- name: layouts
-- A namespace of an earlier release has no such column yet.
SELECT name, by_uid, indexes, coalesce(to_jsonb(t) -> 'sensitive', jsonb_build_array()) FROM {schema}.resource_type t

-- name: exists
SELECT to_regclass(%s) IS NOT NULL

-- name: drop
DROP SCHEMA IF EXISTS {schema} CASCADE

-- name: size
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind IN ('r', 'm')
