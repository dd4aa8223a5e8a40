from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0086_wait_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhookdelivery",
            name="error_phrases",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
