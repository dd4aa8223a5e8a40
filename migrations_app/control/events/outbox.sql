-- name: lock
SELECT pg_advisory_xact_lock(7209411845002)

-- name: head
INSERT INTO switchyard_outboxhead AS head (id, seq, pruned) VALUES (1, 0, 0)
ON CONFLICT (id) DO UPDATE SET seq = head.seq RETURNING seq, pruned

-- name: number
WITH fresh AS (
  SELECT id, row_number() OVER (ORDER BY id) AS place
  FROM switchyard_outboxevent WHERE seq IS NULL ORDER BY id LIMIT %(limit)s
), numbered AS (
  UPDATE switchyard_outboxevent AS event SET seq = %(head)s + fresh.place
  FROM fresh WHERE event.id = fresh.id RETURNING event.seq
)
UPDATE switchyard_outboxhead SET seq = (SELECT max(seq) FROM numbered)
WHERE id = 1 AND EXISTS (SELECT 1 FROM numbered) RETURNING seq

-- name: waiting
SELECT EXISTS (SELECT 1 FROM switchyard_outboxevent WHERE seq IS NULL),
       coalesce((SELECT seq FROM switchyard_outboxhead WHERE id = 1), 0),
       coalesce((SELECT pruned FROM switchyard_outboxhead WHERE id = 1), 0)

-- name: read
SELECT seq, at, topic, kind, key, rev, "full", patch, places FROM switchyard_outboxevent
WHERE seq > %(since)s AND seq <= %(upto)s ORDER BY seq LIMIT %(limit)s

-- name: prune
WITH old AS (
  DELETE FROM switchyard_outboxevent WHERE id IN (
    SELECT id FROM switchyard_outboxevent
    WHERE seq IS NOT NULL AND at < clock_timestamp() - make_interval(secs => %(seconds)s)
    ORDER BY seq LIMIT %(limit)s
  ) RETURNING seq
), upto AS (
  UPDATE switchyard_outboxhead SET pruned = greatest(pruned, (SELECT max(seq) FROM old))
  WHERE id = 1 AND EXISTS (SELECT 1 FROM old)
)
SELECT count(*) FROM old
