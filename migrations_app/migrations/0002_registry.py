"""Regions, services, what they import, deployments, shards, resource types and the changes of all these."""

import uuid

import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0001_access"),
    ]

    operations = [
        migrations.CreateModel(
            name="Region",
            fields=[
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("revision", models.BigIntegerField(default=0)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("id", models.CharField(db_collation="C", max_length=30, primary_key=True, serialize=False)),
                ("title", models.CharField(blank=True, max_length=1024)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id__regex", "^[a-z][a-z0-9\\-]{0,28}[a-z0-9]$")),
                        name="region_id",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RegistryChange",
            fields=[
                ("seq", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("kind", models.CharField(max_length=16)),
                ("name", models.CharField(db_collation="C", max_length=110)),
                ("service", models.CharField(blank=True, db_collation="C", max_length=30)),
                (
                    "document",
                    models.JSONField(
                        help_text="The message after the change; null when it was removed.", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["seq"],
                "indexes": [models.Index(fields=["at"], name="registry_change_at")],
            },
        ),
        migrations.CreateModel(
            name="RegistryHead",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("seq", models.BigIntegerField(default=0)),
                ("pruned", models.BigIntegerField(default=0)),
                (
                    "settled",
                    models.BigIntegerField(
                        default=0, help_text="The change up to which services info follows."
                    ),
                ),
                (
                    "graph",
                    models.CharField(
                        blank=True, help_text="Digest of what services info follows from.", max_length=64
                    ),
                ),
                (
                    "started",
                    models.UUIDField(
                        default=uuid.uuid4, help_text="Told in resume tokens: another registry, another past."
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="registry_head_one")
                ],
            },
        ),
        migrations.CreateModel(
            name="Service",
            fields=[
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("revision", models.BigIntegerField(default=0)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("id", models.CharField(db_collation="C", max_length=30, primary_key=True, serialize=False)),
                ("display_name", models.CharField(blank=True, max_length=1024)),
                ("versions", models.JSONField(blank=True, default=list, help_text="Newest first.")),
                ("automatic_version_switch", models.BooleanField(default=False)),
                ("generation", models.BigIntegerField(default=0)),
                ("policy", models.JSONField(blank=True, default=dict)),
                (
                    "leading",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="followers",
                        to="switchyard.service",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Deployment",
            fields=[
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("revision", models.BigIntegerField(default=0)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                (
                    "name",
                    models.CharField(db_collation="C", max_length=100, primary_key=True, serialize=False),
                ),
                ("current_version", models.CharField(blank=True, max_length=32)),
                ("is_disabled", models.BooleanField(default=False)),
                ("automatic_version_switch", models.BooleanField(default=False)),
                ("generation", models.BigIntegerField(default=0)),
                ("db_data_version", models.CharField(blank=True, max_length=64)),
                ("db_location_tag", models.CharField(blank=True, max_length=128)),
                ("ring", models.PositiveIntegerField(default=16)),
                (
                    "database",
                    models.CharField(
                        blank=True,
                        help_text="Alias of the data database; empty when its data is elsewhere.",
                        max_length=64,
                    ),
                ),
                ("fence_epoch", models.BigIntegerField(default=0)),
                ("available_upgrade", models.JSONField(blank=True, null=True)),
                ("upgrade_target", models.CharField(blank=True, max_length=32)),
                ("upgrade_stage", models.CharField(blank=True, max_length=16)),
                ("upgrade_ring", models.PositiveIntegerField(default=0)),
                (
                    "upgrade_ready",
                    models.JSONField(blank=True, default=list, help_text="Numbers of the ready shards."),
                ),
                ("upgrade_data_version", models.CharField(blank=True, max_length=64)),
                ("upgrade_location_tag", models.CharField(blank=True, max_length=128)),
                ("data_updates", models.JSONField(blank=True, default=list)),
                (
                    "region",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deployments",
                        to="switchyard.region",
                    ),
                ),
                (
                    "service",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deployments",
                        to="switchyard.service",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="ServiceDefinition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("service", models.CharField(db_collation="C", max_length=30)),
                ("fingerprint", models.CharField(max_length=64)),
                ("files", models.JSONField(help_text="Path to content, base64.")),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("service", "fingerprint"), name="definition_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="service",
            name="definition",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="current_of",
                to="switchyard.servicedefinition",
            ),
        ),
        migrations.CreateModel(
            name="ServiceVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=32)),
                ("stage", models.CharField(blank=True, max_length=16)),
                ("ordinal", models.IntegerField()),
                (
                    "service",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="version_rows",
                        to="switchyard.service",
                    ),
                ),
            ],
            options={
                "ordering": ["service", "-ordinal"],
            },
        ),
        migrations.CreateModel(
            name="ShardState",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ring", models.PositiveIntegerField()),
                ("shard", models.PositiveIntegerField()),
                ("upgrade", models.CharField(blank=True, max_length=64)),
                ("state", models.CharField(default="pending", max_length=16)),
                ("stage", models.CharField(blank=True, max_length=32)),
                ("copied", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("applied", models.BigIntegerField(default=0)),
                ("failed", models.BigIntegerField(default=0)),
                ("position", models.TextField(blank=True)),
                ("lag_seconds", models.FloatField(null=True)),
                ("rate_per_second", models.FloatField(default=0)),
                ("error", models.TextField(blank=True)),
                ("throttled", models.TextField(blank=True)),
                ("reported_at", models.DateTimeField()),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shard_states",
                        to="switchyard.deployment",
                    ),
                ),
            ],
            options={
                "ordering": ["deployment", "ring", "shard"],
            },
        ),
        migrations.CreateModel(
            name="Namespace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=32)),
                ("database", models.CharField(max_length=64)),
                ("schema", models.CharField(max_length=63)),
                ("disabled", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="namespaces",
                        to="switchyard.deployment",
                    ),
                ),
            ],
            options={
                "ordering": ["deployment", "version"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deployment", "version", "database"), name="namespace_once"
                    ),
                    models.UniqueConstraint(fields=("database", "schema"), name="namespace_place"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ResourceType",
            fields=[
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("revision", models.BigIntegerField(default=0)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                (
                    "name",
                    models.CharField(db_collation="C", max_length=110, primary_key=True, serialize=False),
                ),
                ("type", models.CharField(max_length=63)),
                (
                    "service",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="resource_types",
                        to="switchyard.service",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("service", "type"), name="resource_type_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(choices=[("imports", "imports"), ("uses", "uses")], max_length=8)),
                ("versions", models.JSONField(blank=True, default=dict)),
                (
                    "service",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="switchyard.service",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="importers",
                        to="switchyard.service",
                    ),
                ),
            ],
            options={
                "ordering": ["service", "kind", "target"],
                "constraints": [
                    models.UniqueConstraint(fields=("service", "target", "kind"), name="import_once"),
                    models.CheckConstraint(
                        condition=models.Q(("service", models.F("target")), _negated=True),
                        name="import_of_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["imports", "uses"])), name="import_kind"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="deployment",
            constraint=models.UniqueConstraint(fields=("service", "region"), name="deployment_once"),
        ),
        migrations.AddConstraint(
            model_name="deployment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "name",
                        django.db.models.functions.text.Concat(
                            models.Value("services/"),
                            "service_id",
                            models.Value("/deployments/"),
                            "region_id",
                        ),
                    )
                ),
                name="deployment_id_is_region",
            ),
        ),
        migrations.AddConstraint(
            model_name="deployment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("upgrade_ring", 0), ("upgrade_stage", "")),
                    ("upgrade_stage__in", ["READY", "INITIAL_SYNCING", "SWITCHING"]),
                    _connector="OR",
                ),
                name="deployment_upgrade_stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="deployment",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_disabled", False), ("upgrade_stage", ""), _connector="OR"),
                name="deployment_disabled_idle",
            ),
        ),
        migrations.AddConstraint(
            model_name="deployment",
            constraint=models.CheckConstraint(
                condition=models.Q(("ring__gte", 1), ("ring__lte", 4096)), name="deployment_ring"
            ),
        ),
        migrations.AddConstraint(
            model_name="service",
            constraint=models.CheckConstraint(
                condition=models.Q(("id__regex", "^[a-z][a-z0-9\\-.]{0,28}[a-z0-9]$")), name="service_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="service",
            constraint=models.CheckConstraint(
                condition=models.Q(("generation__gte", 0)), name="service_generation"
            ),
        ),
        migrations.AddConstraint(
            model_name="serviceversion",
            constraint=models.UniqueConstraint(fields=("service", "version"), name="service_version_once"),
        ),
        migrations.AddConstraint(
            model_name="shardstate",
            constraint=models.UniqueConstraint(
                fields=("deployment", "ring", "shard"), name="shard_state_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="shardstate",
            constraint=models.CheckConstraint(
                condition=models.Q(("shard__lt", models.F("ring"))), name="shard_state_in_ring"
            ),
        ),
        migrations.AddConstraint(
            model_name="shardstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("applied__gte", 0), ("copied__gte", 0), ("failed__gte", 0), ("total__gte", 0)
                ),
                name="shard_state_counts",
            ),
        ),
        migrations.AddConstraint(
            model_name="shardstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        [
                            "pending",
                            "syncing",
                            "ready",
                            "switching",
                            "switched",
                            "regressed",
                            "failed",
                            "unknown",
                        ],
                    )
                ),
                name="shard_state_known",
            ),
        ),
    ]
