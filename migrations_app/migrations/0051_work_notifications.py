from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql")
UNDO = "DROP FUNCTION switchyard_work_notify() CASCADE;"


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0050_account_changes"),
    ]

    operations = [
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
