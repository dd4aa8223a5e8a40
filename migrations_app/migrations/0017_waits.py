from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0016_duty"),
    ]

    operations = [
        migrations.AddField(
            model_name="work",
            name="told",
            field=models.TextField(null=True),
        ),
        migrations.AddField(
            model_name="work",
            name="waits_for",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.AddField(
            model_name="work",
            name="waits_since",
            field=models.DateTimeField(null=True),
        ),
    ]
