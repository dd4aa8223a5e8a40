"""Evictions remember whether the deployment came back, and whether what it refers to was announced again."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0021_subscriptions"),
    ]

    operations = [
        migrations.AddField(
            model_name="eviction",
            name="returned_at",
            field=models.DateTimeField(help_text="When it was registered anew.", null=True),
        ),
        migrations.AddField(
            model_name="eviction",
            name="settled_at",
            field=models.DateTimeField(help_text="When all it refers to was announced again.", null=True),
        ),
    ]
