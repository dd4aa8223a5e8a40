-- name: table
CREATE TABLE IF NOT EXISTS switchyard.touch (
    deployment text NOT NULL,
    scope text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    round bigint NOT NULL,
    second boolean NOT NULL,
    mark text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    looked bigint NOT NULL,
    changed bigint NOT NULL,
    opened_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (deployment, scope)
) WITH (fillfactor = 50);

-- name: open
INSERT INTO switchyard.touch AS t
    (deployment, scope, fingerprint, round, second, mark, type, name, looked, changed, opened_at)
VALUES (%(deployment)s, %(scope)s, %(fingerprint)s, 1, false, '', '', '', 0, 0, %(at)s)
ON CONFLICT (deployment, scope) DO UPDATE SET
    fingerprint = excluded.fingerprint, round = t.round + 1, second = false, mark = '', type = '', name = '',
    looked = 0, changed = 0, opened_at = excluded.opened_at, ended_at = NULL
RETURNING scope, fingerprint, round, second, mark, type, name, looked, changed, opened_at, ended_at

-- name: find
SELECT scope, fingerprint, round, second, mark, type, name, looked, changed, opened_at, ended_at
FROM switchyard.touch WHERE deployment = %(deployment)s AND scope = %(scope)s

-- name: listed
SELECT scope, fingerprint, round, second, mark, type, name, looked, changed, opened_at, ended_at
FROM switchyard.touch WHERE deployment = %(deployment)s AND (ended_at IS NOT NULL) = %(ended)s
ORDER BY ended_at DESC, opened_at, scope LIMIT %(limit)s

-- name: save
UPDATE switchyard.touch SET
    second = %(second)s, mark = %(mark)s, type = %(type)s, name = %(name)s, looked = %(looked)s,
    changed = %(changed)s, ended_at = %(ended_at)s
WHERE deployment = %(deployment)s AND scope = %(scope)s AND round = %(round)s
