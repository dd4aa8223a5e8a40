-- The text an entry is sealed by: every column, in one unambiguous form.
CREATE FUNCTION switchyard_ledger_text(entry switchyard_ledgerentry) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(
    entry.id, (extract(epoch FROM entry.at) * 1000000)::bigint, entry.actor_kind, entry.actor, entry.token,
    entry.address, entry.request_id, entry.action, entry.target_kind, entry.target, entry.service,
    entry.region, entry.outcome, entry.reason, entry.before, entry.after
  )::text
$$;

CREATE FUNCTION switchyard_ledger_digest(previous text, entry switchyard_ledgerentry) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(previous || switchyard_ledger_text(entry), 'UTF8')), 'hex')
$$;

-- Runs when the transaction commits: every row lock it needs is already held, so waiting here for the
-- chain cannot deadlock, and the chain is held only for as long as the commit itself takes.
CREATE FUNCTION switchyard_ledger_seal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head switchyard_ledgerseal%ROWTYPE;
BEGIN
  PERFORM pg_advisory_xact_lock(7209411845001);
  SELECT * INTO head FROM switchyard_ledgerseal ORDER BY seq DESC LIMIT 1;
  INSERT INTO switchyard_ledgerseal (seq, entry_id, previous, digest)
  VALUES (coalesce(head.seq, 0) + 1, NEW.id, coalesce(head.digest, ''),
          switchyard_ledger_digest(coalesce(head.digest, ''), NEW));
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER ledger_seal AFTER INSERT ON switchyard_ledgerentry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION switchyard_ledger_seal();

-- A test database is emptied between tests; everywhere else the ledger only grows.
CREATE FUNCTION switchyard_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' AND current_database() LIKE 'test\_%' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the audit ledger is append-only: % of % is refused', lower(TG_OP), TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON switchyard_ledgerentry
FOR EACH ROW EXECUTE FUNCTION switchyard_ledger_refuse();
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON switchyard_ledgerseal
FOR EACH ROW EXECUTE FUNCTION switchyard_ledger_refuse();
CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON switchyard_ledgerentry
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_ledger_refuse();
CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON switchyard_ledgerseal
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_ledger_refuse();

-- One sequence for all keys: an epoch never comes back, not even after its row was pruned.
CREATE SEQUENCE switchyard_lease_epoch CACHE 1;
