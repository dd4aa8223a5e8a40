"""Upgrades, approvals, windows, and the triggers that guard votes."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).with_suffix(".sql")

UNDO = """
DROP TRIGGER IF EXISTS vote_guard ON switchyard_approvalvote;
DROP TRIGGER IF EXISTS request_guard ON switchyard_approvalrequest;
DROP FUNCTION IF EXISTS switchyard_vote_guard();
DROP FUNCTION IF EXISTS switchyard_request_guard();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0003_sync"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApprovalPolicy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("rev", models.BigIntegerField(default=1)),
                ("purpose", models.CharField(max_length=8)),
                ("service", models.CharField(default="*", max_length=200)),
                ("region", models.CharField(default="*", max_length=100)),
                ("environment", models.CharField(default="*", max_length=100)),
                ("needed", models.PositiveSmallIntegerField(default=1)),
                ("group", models.CharField(blank=True, default="approver", max_length=150)),
                ("last_approver_may_run", models.BooleanField(default=True)),
                ("expires_seconds", models.PositiveIntegerField(default=86400)),
                ("critical", models.BooleanField(default=False)),
                ("window_needed", models.BooleanField(default=False)),
                ("break_glass_group", models.CharField(default="admin", max_length=150)),
                ("updated_by", models.CharField(max_length=150)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("purpose__in", ["switch", "revert"])), name="policy_purpose"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Upgrade",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("rev", models.BigIntegerField(default=1)),
                ("deployment", models.CharField(max_length=400)),
                ("service", models.CharField(max_length=200)),
                ("region", models.CharField(max_length=100)),
                ("from_version", models.CharField(max_length=64)),
                ("to_version", models.CharField(max_length=64)),
                ("kind", models.CharField(default="version", max_length=8)),
                ("state", models.CharField(default="PLANNED", max_length=10)),
                ("paused", models.BooleanField(default=False)),
                ("automatic", models.BooleanField(default=False)),
                ("request", models.CharField(blank=True, max_length=8)),
                ("request_by", models.CharField(blank=True, max_length=150)),
                ("operation", models.CharField(blank=True, max_length=36)),
                ("created_by", models.CharField(max_length=150)),
                ("comment", models.TextField(blank=True)),
                ("plan", models.JSONField()),
                ("plan_digest", models.CharField(max_length=64)),
                ("source_database", models.CharField(max_length=100)),
                ("source_schema", models.CharField(max_length=63)),
                ("target_database", models.CharField(max_length=100)),
                ("target_schema", models.CharField(max_length=63)),
                ("ring", models.PositiveSmallIntegerField(default=16)),
                ("freeze_seconds", models.FloatField(default=5.0)),
                ("downgrade_sync", models.BooleanField(default=True)),
                ("freeze_epoch", models.BigIntegerField(default=0)),
                ("freeze_ms", models.FloatField(null=True)),
                ("director_epoch", models.BigIntegerField(default=0)),
                ("waived", models.JSONField(default=list)),
                ("checks", models.JSONField(default=list)),
                ("checks_at", models.DateTimeField(null=True)),
                ("resources", models.BigIntegerField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("reversible_until", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(fields=["-created_at", "-id"], name="upgrade_newest"),
                    models.Index(fields=["deployment", "-created_at"], name="upgrade_deployment"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "HALTED",
                                    "PLANNED",
                                    "READY",
                                    "REVERSIBLE",
                                    "REVERTING",
                                    "SWITCHING",
                                    "SYNCING",
                                ],
                            )
                        ),
                        fields=("deployment",),
                        name="upgrade_one_live",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "PLANNED",
                                    "SYNCING",
                                    "READY",
                                    "SWITCHING",
                                    "REVERSIBLE",
                                    "COMPLETED",
                                    "ABORTED",
                                    "REVERTING",
                                    "REVERTED",
                                    "HALTED",
                                ],
                            )
                        ),
                        name="upgrade_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("request", ""),
                            ("request__in", ["switch", "abort", "revert", "complete"]),
                            _connector="OR",
                        ),
                        name="upgrade_request",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApprovalRequest",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("rev", models.BigIntegerField(default=1)),
                ("purpose", models.CharField(max_length=8)),
                ("round", models.PositiveIntegerField(default=1)),
                ("digest", models.CharField(max_length=64)),
                ("policy", models.JSONField()),
                ("evidence", models.JSONField(default=list)),
                ("asked_by", models.CharField(max_length=150)),
                ("comment", models.TextField(blank=True)),
                ("ticket", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_as", models.CharField(blank=True, max_length=8)),
                ("closed_reason", models.TextField(blank=True)),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="approval_requests",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="UpgradeLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("who", models.CharField(max_length=150)),
                ("kind", models.CharField(max_length=64)),
                ("text", models.TextField()),
                ("details", models.JSONField(default=dict)),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="UpgradeMove",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("letter", models.CharField(max_length=1)),
                ("state", models.CharField(max_length=10)),
                ("at", models.DateTimeField()),
                ("who", models.CharField(max_length=150)),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moves",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="UpgradeSample",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("ready", models.PositiveSmallIntegerField()),
                ("lag_p50", models.FloatField(null=True)),
                ("lag_p95", models.FloatField(null=True)),
                ("lag_max", models.FloatField(null=True)),
                ("rate", models.FloatField(default=0.0)),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="samples",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="UpgradeShard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("shard", models.PositiveSmallIntegerField()),
                ("state", models.CharField(max_length=10)),
                ("stage", models.CharField(blank=True, max_length=16)),
                ("copied", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("applied", models.BigIntegerField(default=0)),
                ("failed", models.BigIntegerField(default=0)),
                ("lag_seconds", models.FloatField(null=True)),
                ("rate_per_second", models.FloatField(default=0.0)),
                ("error", models.TextField(blank=True)),
                ("throttled", models.TextField(blank=True)),
                ("reported_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shards",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["shard"],
            },
        ),
        migrations.CreateModel(
            name="UpgradeStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("step", models.CharField(max_length=64)),
                ("state", models.CharField(max_length=8)),
                ("text", models.TextField(blank=True)),
                ("took_seconds", models.FloatField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="switch_steps",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="WindowRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("rev", models.BigIntegerField(default=1)),
                ("effect", models.CharField(max_length=5)),
                ("zone", models.CharField(max_length=64)),
                ("service", models.CharField(default="*", max_length=200)),
                ("region", models.CharField(default="*", max_length=100)),
                ("environment", models.CharField(default="*", max_length=100)),
                ("cron", models.CharField(blank=True, max_length=100)),
                ("minutes", models.PositiveIntegerField(default=0)),
                ("starts", models.CharField(blank=True, max_length=19)),
                ("ends", models.CharField(blank=True, max_length=19)),
                ("reason", models.TextField(blank=True)),
                ("ticket", models.CharField(blank=True, max_length=200)),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("effect__in", ["allow", "deny"])), name="window_effect"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApprovalVote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveIntegerField()),
                ("who", models.CharField(max_length=150)),
                ("verdict", models.CharField(max_length=8)),
                ("digest", models.CharField(max_length=64)),
                ("comment", models.TextField(blank=True)),
                ("void_reason", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="votes",
                        to="switchyard.approvalrequest",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("request", "round", "who"), name="vote_once_a_round"),
                    models.CheckConstraint(
                        condition=models.Q(("verdict__in", ["approve", "reject"])), name="vote_verdict"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Emergency",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("purpose", models.CharField(max_length=8)),
                ("who", models.CharField(max_length=150)),
                ("reason", models.TextField()),
                ("ticket", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("reviewed_by", models.CharField(blank=True, max_length=150)),
                ("reviewed_at", models.DateTimeField(null=True)),
                ("review", models.TextField(blank=True)),
                (
                    "upgrade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emergencies",
                        to="switchyard.upgrade",
                    ),
                ),
            ],
            options={
                "ordering": ["-at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reviewed_by", models.F("who")), _negated=True),
                        name="emergency_reviewed_by_another",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="approvalrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)),
                fields=("upgrade", "purpose"),
                name="approval_one_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="approvalrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("closed_as__in", ["", "USED", "VOID", "REJECTED", "EXPIRED"])),
                name="approval_closed_as",
            ),
        ),
        migrations.AddConstraint(
            model_name="upgradeshard",
            constraint=models.UniqueConstraint(fields=("upgrade", "shard"), name="upgrade_shard_once"),
        ),
        migrations.AddConstraint(
            model_name="upgradeshard",
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
                name="upgrade_shard_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="upgradestep",
            constraint=models.UniqueConstraint(fields=("upgrade", "step"), name="upgrade_step_once"),
        ),
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
