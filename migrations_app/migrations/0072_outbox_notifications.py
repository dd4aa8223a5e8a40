from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql")
UNDO = "DROP FUNCTION switchyard_outbox_notify() CASCADE;"


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0071_late_reverse_replication"),
    ]

    beside_old_processes = (
        "Processes of the version before do not listen; a notification without a listener is dropped."
    )
    operations = [
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
