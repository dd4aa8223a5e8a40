"""Accounts, tokens, roles, the ledger, the outbox, work and operations."""

import uuid
from pathlib import Path

import django.contrib.auth.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_suffix(".sql")

UNDO = """
DROP SEQUENCE IF EXISTS switchyard_lease_epoch;
DROP TRIGGER IF EXISTS ledger_seal ON switchyard_ledgerentry;
DROP TRIGGER IF EXISTS ledger_append_only ON switchyard_ledgerentry;
DROP TRIGGER IF EXISTS ledger_append_only ON switchyard_ledgerseal;
DROP TRIGGER IF EXISTS ledger_no_truncate ON switchyard_ledgerentry;
DROP TRIGGER IF EXISTS ledger_no_truncate ON switchyard_ledgerseal;
DROP FUNCTION IF EXISTS switchyard_ledger_seal();
DROP FUNCTION IF EXISTS switchyard_ledger_refuse();
DROP FUNCTION IF EXISTS switchyard_ledger_digest(text, switchyard_ledgerentry);
DROP FUNCTION IF EXISTS switchyard_ledger_text(switchyard_ledgerentry);
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="OutboxHead",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("seq", models.BigIntegerField(default=0)),
                ("pruned", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Pulse",
            fields=[
                ("name", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=32)),
                ("at", models.DateTimeField()),
                ("since", models.DateTimeField()),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["kind", "name"],
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "username",
                    models.CharField(
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("display_name", models.CharField(blank=True, max_length=150)),
                (
                    "kind",
                    models.CharField(
                        choices=[("user", "user"), ("service", "service")], default="user", max_length=8
                    ),
                ),
                ("groups", models.JSONField(blank=True, default=list)),
                ("is_active", models.BooleanField(default=True)),
                (
                    "is_staff",
                    models.BooleanField(default=False, help_text="May look at the read-only admin pages."),
                ),
                ("date_joined", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["username"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["user", "service"])), name="account_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("account", models.CharField(max_length=150)),
                ("key", models.CharField(max_length=255)),
                ("request_digest", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("headers", models.JSONField(default=dict)),
                ("body", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="idempotent_at")],
                "constraints": [models.UniqueConstraint(fields=("account", "key"), name="idempotent_once")],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("actor_kind", models.CharField(max_length=8)),
                ("actor", models.CharField(max_length=150)),
                ("token", models.CharField(blank=True, max_length=16)),
                ("address", models.CharField(blank=True, max_length=64)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("action", models.CharField(max_length=64)),
                ("target_kind", models.CharField(max_length=64)),
                ("target", models.CharField(blank=True, max_length=400)),
                ("service", models.CharField(blank=True, max_length=200)),
                ("region", models.CharField(blank=True, max_length=100)),
                ("outcome", models.CharField(max_length=8)),
                ("reason", models.TextField(blank=True)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["actor", "-id"], name="ledger_actor"),
                    models.Index(fields=["action", "-id"], name="ledger_action"),
                    models.Index(fields=["target_kind", "target", "-id"], name="ledger_target"),
                    models.Index(fields=["at"], name="ledger_at"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["done", "denied", "failed", "dry_run"])),
                        name="ledger_outcome",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LedgerSeal",
            fields=[
                ("seq", models.BigIntegerField(primary_key=True, serialize=False)),
                ("previous", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seal",
                        to="switchyard.ledgerentry",
                    ),
                ),
            ],
            options={
                "ordering": ["seq"],
            },
        ),
        migrations.CreateModel(
            name="Operation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=64)),
                ("target_kind", models.CharField(max_length=64)),
                ("target", models.CharField(blank=True, max_length=400)),
                ("state", models.CharField(default="running", max_length=8)),
                ("requested_by", models.CharField(max_length=150)),
                ("progress", models.JSONField(default=dict)),
                ("result", models.JSONField(null=True)),
                ("error", models.JSONField(null=True)),
                ("rev", models.BigIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-created_at", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["running", "done", "failed"])),
                        name="operation_state",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OutboxEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField(null=True, unique=True)),
                ("at", models.DateTimeField()),
                ("topic", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=400)),
                ("rev", models.BigIntegerField(default=0)),
                ("full", models.JSONField(null=True)),
                ("patch", models.JSONField(null=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("seq__isnull", True)), fields=["id"], name="outbox_unnumbered"
                    ),
                    models.Index(fields=["at"], name="outbox_at"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RoleBinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "subject_kind",
                    models.CharField(choices=[("account", "account"), ("group", "group")], max_length=8),
                ),
                ("subject", models.CharField(max_length=150)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "viewer"),
                            ("operator", "operator"),
                            ("approver", "approver"),
                            ("auditor", "auditor"),
                            ("automation", "automation"),
                            ("admin", "admin"),
                        ],
                        max_length=20,
                    ),
                ),
                ("service", models.CharField(default="*", max_length=200)),
                ("region", models.CharField(default="*", max_length=100)),
                ("environment", models.CharField(default="*", max_length=100)),
                ("expires_at", models.DateTimeField(null=True)),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["subject_kind", "subject", "role", "id"],
                "indexes": [models.Index(fields=["subject_kind", "subject"], name="binding_subject")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("subject_kind", "subject", "role", "service", "region", "environment"),
                        name="binding_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("scopes", models.JSONField(default=list)),
                ("networks", models.JSONField(blank=True, default=list)),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("last_used_from", models.GenericIPAddressField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Work",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("controller", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=400)),
                ("epoch", models.BigIntegerField(default=0)),
                ("holder", models.CharField(blank=True, max_length=200)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("wakes", models.BigIntegerField(default=0)),
                ("due_at", models.DateTimeField(null=True)),
                ("leased_until", models.DateTimeField(null=True)),
                ("queued_until", models.DateTimeField(null=True)),
                ("parked_at", models.DateTimeField(null=True)),
                ("parked_code", models.CharField(blank=True, max_length=64)),
                ("parked_reason", models.TextField(blank=True)),
                ("parked_remedy", models.TextField(blank=True)),
                ("settled_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["controller", "key"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False), ("parked_at__isnull", True)),
                        fields=["controller", "due_at"],
                        name="work_due",
                    ),
                    models.Index(
                        condition=models.Q(("parked_at__isnull", False)),
                        fields=["parked_at"],
                        name="work_parked",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("controller", "key"), name="work_key")],
            },
        ),
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
