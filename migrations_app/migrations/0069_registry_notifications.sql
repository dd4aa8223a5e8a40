-- Tells the processes that stream the registry's changes that there are new ones; they wait for it instead of asking.
-- The notification goes out with the commit that raised the number.
CREATE FUNCTION switchyard_registry_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('switchyard_registry', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER registry_notify_new AFTER INSERT ON switchyard_registryhead
FOR EACH ROW EXECUTE FUNCTION switchyard_registry_notify();
CREATE TRIGGER registry_notify_changed AFTER UPDATE ON switchyard_registryhead FOR EACH ROW
WHEN ((OLD.started, OLD.seq, OLD.pruned) IS DISTINCT FROM (NEW.started, NEW.seq, NEW.pruned))
EXECUTE FUNCTION switchyard_registry_notify();
