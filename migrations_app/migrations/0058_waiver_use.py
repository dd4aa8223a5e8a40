"""Waivers of changes in place: which definition was applied with one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0057_upgrade_blockages"),
    ]

    operations = [
        migrations.AddField(
            model_name="waiver",
            name="used_for",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The fingerprint of the definition that was applied with it.",
                max_length=64,
            ),
            preserve_default=False,
        ),
    ]
