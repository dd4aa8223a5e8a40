from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0088_deployment_notifications"),
    ]

    operations = [
        migrations.AddField(
            model_name="upgradesample",
            name="write_p95",
            field=models.FloatField(null=True),
        ),
    ]
