from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0065_default_for_unknown_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalpolicy",
            name="void_when_worse",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="approvalvote",
            name="evidence",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
