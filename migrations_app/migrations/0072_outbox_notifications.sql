-- Tells the processes that stream events that there are new ones; they wait for it instead of asking.
-- The notification goes out with the commit that wrote them.
CREATE FUNCTION switchyard_outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('switchyard_outbox', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER outbox_notify AFTER INSERT ON switchyard_outboxevent
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_outbox_notify();
