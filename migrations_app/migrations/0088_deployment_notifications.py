from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql")
UNDO = """
DROP TRIGGER work_notify_changed ON switchyard_deployment;
DROP FUNCTION switchyard_deployment_notify();
DROP TRIGGER work_notify_new ON switchyard_registrychange;
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_registrychange FOR EACH ROW
WHEN (NEW.kind IN ('services', 'deployments'))
EXECUTE FUNCTION switchyard_work_notify(
  'registry,pending,deleting,search,fixtures,subscribed-deletions,syncing-meta,read-copies,left-copies'
);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0087_delivery_phrases"),
    ]

    beside_old_processes = "Processes of the version before listen for the same names on the same channel, and list the same keys."
    operations = [
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
