from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0072_outbox_notifications"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="shard_count",
            field=models.PositiveSmallIntegerField(
                help_text="Null where it is that of the deployment.", null=True
            ),
        ),
        migrations.AddField(
            model_name="upgrade",
            name="target_shard_count",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
