from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0040_brought_tombstones"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalpolicy",
            name="about",
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict),
        ),
    ]
