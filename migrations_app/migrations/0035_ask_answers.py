"""Who asks for access gets an answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("switchyard", "0034_rollout_plans")]

    operations = [
        migrations.AddField(
            model_name="ask",
            name="granted",
            field=models.BooleanField(help_text="Of who asked for access: whether it was given.", null=True),
        ),
        migrations.AddField(
            model_name="ask",
            name="answer",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
