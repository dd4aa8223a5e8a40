from django.db import migrations

TRIGGERS = """
CREATE TRIGGER work_notify_new AFTER INSERT ON switchyard_webhook FOR EACH ROW
WHEN (NEW.active) EXECUTE FUNCTION switchyard_work_notify('webhooks');
CREATE TRIGGER work_notify_changed AFTER UPDATE ON switchyard_webhook FOR EACH ROW
WHEN (NEW.active AND NOT OLD.active) EXECUTE FUNCTION switchyard_work_notify('webhooks');
"""
UNDO = """
DROP TRIGGER work_notify_new ON switchyard_webhook;
DROP TRIGGER work_notify_changed ON switchyard_webhook;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0054_places_outlive_registrations"),
    ]

    operations = [
        migrations.RunSQL(TRIGGERS, UNDO),
    ]
