-- name: columns
SELECT attname FROM pg_attribute
WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attnum

-- name: quiet_since
SELECT least(clock_timestamp(), min(xact_start)) FROM pg_stat_activity WHERE datname = current_database()

-- name: clear
DELETE FROM switchyard.{table} WHERE deployment = %s

-- name: out
COPY (SELECT {columns} FROM switchyard.{table} WHERE deployment = {deployment}) TO STDOUT (FORMAT BINARY)

-- name: in
COPY switchyard.{table} ({columns}) FROM STDIN (FORMAT BINARY)

-- name: outcomes_out
COPY (SELECT {columns} FROM switchyard.ref_attempt
    WHERE deployment = {deployment} AND (at, token) > ({at}, {token}) ORDER BY at, token LIMIT {limit})
TO STDOUT (FORMAT BINARY)

-- name: outcomes_staging
CREATE TEMP TABLE IF NOT EXISTS switchyard_outcomes (LIKE switchyard.ref_attempt) ON COMMIT DROP

-- name: outcomes_empty
TRUNCATE pg_temp.switchyard_outcomes

-- name: outcomes_in
COPY pg_temp.switchyard_outcomes ({columns}) FROM STDIN (FORMAT BINARY)

-- name: outcomes_last
SELECT at, token FROM pg_temp.switchyard_outcomes ORDER BY at DESC, token DESC LIMIT 1

-- name: outcomes_keep
INSERT INTO switchyard.ref_attempt ({columns}) SELECT {columns} FROM pg_temp.switchyard_outcomes
ON CONFLICT (deployment, token) DO NOTHING

-- name: count
SELECT (SELECT count(*) FROM switchyard.shadow WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.barred_name WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.blockade WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.confirm_due WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.owner_reference WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.barred_reference WHERE deployment = %(deployment)s)
    + (SELECT count(*) FROM switchyard.ownee_check WHERE deployment = %(deployment)s)

-- name: built
SELECT to_regclass('switchyard.ownee_check') IS NOT NULL

-- name: under_way
SELECT * FROM (
    SELECT d.deployment,
        EXISTS (SELECT FROM switchyard.confirm_due c WHERE c.deployment = d.deployment)
        OR EXISTS (SELECT FROM switchyard.blockade b
            WHERE b.deployment = d.deployment AND b.resolve_after <= clock_timestamp())
        OR EXISTS (SELECT FROM switchyard.owner_reference o
            WHERE o.deployment = d.deployment AND o.ask_at <= clock_timestamp())
        OR EXISTS (SELECT FROM switchyard.ownee_check k WHERE k.deployment = d.deployment) AS owed,
        EXISTS (SELECT FROM switchyard.shadow s
            WHERE s.deployment = d.deployment AND s.state <> 'ACTIVE') AS deleting
    FROM unnest(%s::text[]) d(deployment)
) waiting
WHERE owed OR deleting
