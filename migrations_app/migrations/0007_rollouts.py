"""Rollouts: several upgrades in waves."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0006_webhooks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Rollout",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("rev", models.BigIntegerField(default=1)),
                ("title", models.CharField(max_length=200)),
                ("comment", models.TextField(blank=True)),
                ("state", models.CharField(default="PLANNED", max_length=8)),
                ("reason", models.TextField(blank=True)),
                ("max_parallel", models.PositiveSmallIntegerField(default=1)),
                ("pause_seconds", models.PositiveIntegerField(default=0)),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["PLANNED", "RUNNING", "PAUSED", "DONE", "STOPPED"])
                        ),
                        name="rollout_state",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RolloutItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wave", models.PositiveSmallIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                ("deployment", models.CharField(max_length=400)),
                ("state", models.CharField(default="waiting", max_length=8)),
                ("reason", models.TextField(blank=True)),
                ("settled_at", models.DateTimeField(null=True)),
                (
                    "rollout",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="switchyard.rollout",
                    ),
                ),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rollout_items",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["wave", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("rollout", "deployment"), name="rollout_item_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "running", "done", "failed", "skipped"])
                        ),
                        name="rollout_item_state",
                    ),
                ],
            },
        ),
    ]
