from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0085_quarantine_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="work",
            name="waits_for_phrases",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
