from django.db import migrations, models

# Operations that ran before: those who may read where their target is see them on.
SQL = """
UPDATE switchyard_operation AS operation SET service = upgrade.service, region = upgrade.region
FROM switchyard_upgrade AS upgrade WHERE operation.target_kind = 'upgrade' AND operation.target = upgrade.id;
UPDATE switchyard_operation SET service = target WHERE target_kind = 'service';
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0042_shard_nodes"),
    ]

    operations = [
        migrations.AddField(
            model_name="operation",
            name="region",
            field=models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
        migrations.AddField(
            model_name="operation",
            name="service",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="outboxevent",
            name="places",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.RunSQL(SQL, migrations.RunSQL.noop),
    ]
