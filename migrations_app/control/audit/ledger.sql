-- name: broken
WITH chain AS (
  SELECT seal.seq, seal.entry_id, seal.previous, seal.digest,
         coalesce(lag(seal.digest) OVER (ORDER BY seal.seq), '') AS expected,
         coalesce(lag(seal.seq) OVER (ORDER BY seal.seq), 0) + 1 AS expected_seq,
         switchyard_ledger_digest(seal.previous, entry) AS computed
  FROM switchyard_ledgerseal AS seal
  JOIN switchyard_ledgerentry AS entry ON entry.id = seal.entry_id
)
SELECT seq, entry_id,
       CASE WHEN seq <> expected_seq THEN 'missing'
            WHEN previous <> expected THEN 'discontinued'
            ELSE 'altered' END
FROM chain WHERE seq <> expected_seq OR previous <> expected OR digest <> computed
ORDER BY seq LIMIT 1

-- name: length
SELECT coalesce(max(seq), 0), count(*),
       (SELECT count(*) FROM switchyard_ledgerentry) - count(*),
       coalesce((SELECT digest FROM switchyard_ledgerseal ORDER BY seq DESC LIMIT 1), '')
FROM switchyard_ledgerseal

-- name: head
SELECT seq, digest FROM switchyard_ledgerseal ORDER BY seq DESC LIMIT 1

-- name: page
WITH page AS (
  SELECT seq, entry_id, previous, digest FROM switchyard_ledgerseal WHERE seq > %(after)s ORDER BY seq LIMIT %(limit)s
), chain AS (
  SELECT page.seq, page.previous, page.digest,
         coalesce(lag(page.digest) OVER (ORDER BY page.seq), %(digest)s) AS expected,
         coalesce(lag(page.seq) OVER (ORDER BY page.seq), %(after)s) + 1 AS expected_seq,
         CASE WHEN entry.id IS NOT NULL THEN switchyard_ledger_digest(page.previous, entry) END AS computed
  FROM page LEFT JOIN switchyard_ledgerentry AS entry ON entry.id = page.entry_id
), broken AS (
  SELECT seq,
         CASE WHEN seq <> expected_seq THEN 'missing'
              WHEN previous <> expected THEN 'discontinued'
              ELSE 'altered' END AS reason
  FROM chain
  WHERE seq <> expected_seq OR previous <> expected OR digest IS DISTINCT FROM computed
  ORDER BY seq LIMIT 1
)
SELECT (SELECT count(*) FROM page), (SELECT max(seq) FROM page),
       (SELECT digest FROM page ORDER BY seq DESC LIMIT 1), (SELECT seq FROM broken), (SELECT reason FROM broken)
