-- Tells workers which controllers may have new keys; they wait for it instead of asking every controller over and over.
-- Nothing is locked, and a notification goes out with the commit, once however often it was asked for.
CREATE FUNCTION switchyard_work_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('switchyard_work', TG_ARGV[0]);
  RETURN NULL;
END
$$;

CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_upgrade
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('switch,sync,parity');
CREATE TRIGGER work_notify_changed AFTER UPDATE ON switchyard_upgrade FOR EACH ROW
WHEN ((OLD.state, OLD.paused, OLD.request, OLD.downgrade_sync)
  IS DISTINCT FROM (NEW.state, NEW.paused, NEW.request, NEW.downgrade_sync))
EXECUTE FUNCTION switchyard_work_notify('switch,sync,parity');

CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_registrychange FOR EACH ROW
WHEN (NEW.kind IN ('services', 'deployments'))
EXECUTE FUNCTION switchyard_work_notify(
  'registry,pending,deleting,search,fixtures,subscribed-deletions,syncing-meta,read-copies,left-copies'
);
CREATE TRIGGER work_notify_new AFTER INSERT OR UPDATE ON switchyard_rollout
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('rollouts');
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_approvalrequest
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('approvals');
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_eviction
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('evictions');
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_operation
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('compatibility');
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_deletionwatch
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_work_notify('deletion-watches');
