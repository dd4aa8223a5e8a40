-- name: login_exists
SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = %s

-- name: create_login
CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD {password}

-- name: change_login
ALTER ROLE {role} LOGIN PASSWORD {password}

-- name: close_database
REVOKE ALL ON DATABASE {database} FROM PUBLIC

-- name: grant_connect
GRANT CONNECT ON DATABASE {database} TO {role}

-- name: grant_namespaces
GRANT CONNECT, CREATE, TEMPORARY ON DATABASE {database} TO {role}

-- name: grant_statistics
GRANT pg_read_all_stats TO {role}

-- name: grant_replica_mode
GRANT SET ON PARAMETER session_replication_role TO {role}

-- name: use_schema
GRANT USAGE ON SCHEMA public TO {role}

-- name: close_schema
REVOKE CREATE ON SCHEMA public FROM PUBLIC, {role}

-- name: grant_tables
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}

-- name: grant_sequences
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}

-- name: grant_later_tables
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}

-- name: grant_later_sequences
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO {role}

-- name: protect
REVOKE ALL ON {table} FROM PUBLIC, {role}

-- name: allow_select
GRANT SELECT ON {table} TO {role}

-- name: allow_insert
GRANT SELECT, INSERT ON {table} TO {role}

-- name: create_database
CREATE DATABASE {database}

-- name: database_exists
SELECT 1 FROM pg_database WHERE datname = %s

-- name: foreign_objects
-- What namespaces consist of and another role owns: schemas, tables, views, free sequences, functions, types.
SELECT format('ALTER SCHEMA %%I OWNER TO %%I', nspname, %(role)s::text)
FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
    AND pg_get_userbyid(nspowner) <> %(role)s
UNION ALL
SELECT format('ALTER %%s %%s OWNER TO %%I',
    CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
        WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END,
    c.oid::regclass, %(role)s::text)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
    AND relkind IN ('r', 'p', 'v', 'm', 'S', 'c', 'f') AND pg_get_userbyid(relowner) <> %(role)s
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i'))
UNION ALL
SELECT format('ALTER ROUTINE %%s OWNER TO %%I', p.oid::regprocedure, %(role)s::text)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
    AND pg_get_userbyid(proowner) <> %(role)s
UNION ALL
SELECT format('ALTER TYPE %%s OWNER TO %%I', format_type(t.oid, NULL), %(role)s::text)
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
    AND typtype IN ('e', 'd', 'r') AND pg_get_userbyid(typowner) <> %(role)s
