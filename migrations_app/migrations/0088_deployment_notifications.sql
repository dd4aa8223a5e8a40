-- Which keys there are depends on which deployments there are and where their data lie, not on which shards of an upgrade
-- are ready. A registry change of each shard let eight controllers list the keys of the whole fleet.
DROP TRIGGER work_notify_new ON switchyard_registrychange;
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_registrychange FOR EACH ROW
WHEN (NEW.kind = 'services' OR (NEW.kind = 'deployments' AND NEW.document IS NULL))
EXECUTE FUNCTION switchyard_work_notify(
  'registry,pending,deleting,search,fixtures,subscribed-deletions,syncing-meta,read-copies,left-copies'
);

CREATE FUNCTION switchyard_deployment_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  progress CONSTANT text[] := ARRAY['upgrade_ready', 'revision', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' OR to_jsonb(OLD) - progress IS DISTINCT FROM to_jsonb(NEW) - progress THEN
    PERFORM pg_notify('switchyard_work', TG_ARGV[0]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER work_notify_changed AFTER INSERT OR UPDATE ON switchyard_deployment FOR EACH ROW
EXECUTE FUNCTION switchyard_deployment_notify(
  'registry,pending,deleting,search,fixtures,subscribed-deletions,syncing-meta,read-copies,left-copies'
);
