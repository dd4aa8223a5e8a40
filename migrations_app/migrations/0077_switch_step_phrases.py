from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0076_timeline_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="upgradestep",
            name="phrases",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
