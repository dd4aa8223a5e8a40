"""Webhooks and the log of their deliveries."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0005_votes"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100, unique=True)),
                ("rev", models.BigIntegerField(default=1)),
                ("url", models.CharField(max_length=2000)),
                (
                    "events",
                    models.JSONField(
                        default=list, help_text="Names of events, or patterns such as upgrade.*."
                    ),
                ),
                ("service", models.CharField(default="*", max_length=200)),
                ("region", models.CharField(default="*", max_length=100)),
                ("active", models.BooleanField(default=True)),
                ("secret", models.CharField(max_length=100)),
                ("former_secret", models.CharField(blank=True, max_length=100)),
                ("former_until", models.DateTimeField(null=True)),
                ("cursor", models.BigIntegerField(default=0)),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField(help_text="Number of the event; 0 for a test.")),
                ("event", models.CharField(max_length=100)),
                ("body", models.JSONField()),
                ("state", models.CharField(default="pending", max_length=9)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("status", models.PositiveIntegerField(null=True)),
                ("took_ms", models.PositiveIntegerField(null=True)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("delivered_at", models.DateTimeField(null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="switchyard.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")),
                        fields=["webhook", "next_at"],
                        name="delivery_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("seq__gt", 0)),
                        fields=("webhook", "seq"),
                        name="delivery_once_an_event",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["pending", "delivered", "failed"])),
                        name="delivery_state",
                    ),
                ],
            },
        ),
    ]
