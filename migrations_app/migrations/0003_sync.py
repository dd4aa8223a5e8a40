"""Checkpoints, scans, differing and parked resources of synchronisation."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0002_registry"),
    ]

    operations = [
        migrations.CreateModel(
            name="ParkedResource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("upgrade", models.CharField(max_length=64)),
                ("direction", models.CharField(max_length=8)),
                ("shard", models.PositiveSmallIntegerField()),
                ("type", models.CharField(max_length=200)),
                ("name", models.TextField()),
                ("revision", models.BigIntegerField()),
                ("error", models.TextField()),
                ("code", models.CharField(blank=True, max_length=64)),
                ("attempts", models.PositiveIntegerField(default=1)),
                ("retry_at", models.DateTimeField(null=True)),
                ("state", models.CharField(default="parked", max_length=8)),
                ("changes_behind", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("upgrade", "direction", "shard", "type", "name"), name="sync_parked_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["parked", "retry", "waived", "hidden"])),
                        name="sync_parked_state",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SyncCheckpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("upgrade", models.CharField(max_length=64)),
                ("direction", models.CharField(max_length=8)),
                ("shard", models.PositiveSmallIntegerField()),
                ("stage", models.CharField(max_length=16)),
                ("type", models.CharField(blank=True, max_length=200)),
                ("name", models.TextField(blank=True)),
                ("upper", models.TextField(null=True)),
                ("copied", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("applied", models.BigIntegerField(default=0)),
                ("level", models.BooleanField(default=False)),
                ("lag_seconds", models.FloatField(null=True)),
                ("rate_per_second", models.FloatField(default=0.0)),
                ("throttled", models.TextField(blank=True)),
                ("error", models.TextField(blank=True)),
                ("epoch", models.BigIntegerField(default=0)),
                ("rev", models.BigIntegerField(default=1)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("upgrade", "direction", "shard"), name="sync_checkpoint_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SyncDifference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("upgrade", models.CharField(max_length=64)),
                ("direction", models.CharField(max_length=8)),
                ("shard", models.PositiveSmallIntegerField()),
                ("kind", models.CharField(max_length=16)),
                ("type", models.CharField(max_length=200)),
                ("name", models.TextField()),
                ("source_name", models.TextField(blank=True)),
                ("expected", models.JSONField(null=True)),
                ("found", models.JSONField(null=True)),
                ("repair", models.TextField(blank=True)),
                ("times", models.PositiveIntegerField(default=1)),
                ("found_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("upgrade", "type", "name"), name="sync_difference_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="SyncScan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("upgrade", models.CharField(max_length=64)),
                ("direction", models.CharField(max_length=8)),
                ("shard", models.PositiveSmallIntegerField()),
                ("backwards", models.BooleanField(default=False)),
                ("type", models.CharField(blank=True, max_length=200)),
                ("name", models.TextField(blank=True)),
                ("scanned", models.BigIntegerField(default=0)),
                ("failed", models.BigIntegerField(default=0)),
                ("repaired", models.BigIntegerField(default=0)),
                ("started_at", models.DateTimeField(null=True)),
                ("passed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("epoch", models.BigIntegerField(default=0)),
                ("rev", models.BigIntegerField(default=1)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("upgrade", "direction", "shard"), name="sync_scan_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="DroppedPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("database", models.CharField(max_length=100)),
                ("schema", models.CharField(max_length=63)),
                ("dropped_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("database", "schema"), name="sync_dropped_place")
                ],
            },
        ),
    ]
