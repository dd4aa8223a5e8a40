from django.db import migrations, models

# Keys of before get the class of their controller; the worker gives a more exact one with the next slice.
SQL = """
UPDATE switchyard_work SET work_class = CASE
  WHEN controller = 'switch' THEN 'switch'
  WHEN controller = 'sync' THEN 'catch-up'
  WHEN controller = 'parity' THEN 'verification'
  WHEN controller IN ('pending', 'deleting', 'subscribed-deletions') THEN 'constraint-answers'
  WHEN controller IN ('read-copies', 'syncing-meta') THEN 'read-copies'
  ELSE 'upkeep'
END;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0044_receiver_claims"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="work", name="work_due"),
        migrations.RemoveField(model_name="work", name="queued_until"),
        migrations.AddField(
            model_name="work",
            name="work_class",
            field=models.CharField(blank=True, db_default="", max_length=32),
        ),
        migrations.AddIndex(
            model_name="work",
            index=models.Index(
                fields=["work_class", "due_at"],
                name="work_next",
                condition=models.Q(due_at__isnull=False, parked_at__isnull=True),
            ),
        ),
        migrations.CreateModel(
            name="WorkAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pool", models.CharField(max_length=200)),
                ("work_class", models.CharField(max_length=32)),
                ("share", models.FloatField(default=1.0)),
                ("passed", models.FloatField(default=0.0)),
                ("used_seconds", models.FloatField(default=0.0)),
                ("slices", models.BigIntegerField(default=0)),
            ],
            options={
                "ordering": ["pool", "work_class"],
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "work_class"), name="work_account_class")
                ],
            },
        ),
        migrations.RunSQL(SQL, migrations.RunSQL.noop),
    ]
