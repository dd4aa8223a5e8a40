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
       CASE WHEN seq <> expected_seq THEN 'an entry before it is missing'
            WHEN previous <> expected THEN 'it does not continue the chain'
            ELSE 'it was altered' END
FROM chain WHERE seq <> expected_seq OR previous <> expected OR digest <> computed
ORDER BY seq LIMIT 1

-- name: length
SELECT coalesce(max(seq), 0), count(*),
       (SELECT count(*) FROM switchyard_ledgerentry) - count(*),
       coalesce((SELECT digest FROM switchyard_ledgerseal ORDER BY seq DESC LIMIT 1), '')
FROM switchyard_ledgerseal
