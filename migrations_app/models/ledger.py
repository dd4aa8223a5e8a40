"""Rows of the audit ledger: what was done, and the seals that chain the entries together."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class LedgerEntry(models.Model):
    """Who did what to which thing, how it ended and what it changed; never altered (by trigger)."""

    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=8)
    actor = models.CharField(max_length=150)
    token = models.CharField(max_length=16, blank=True)
    address = models.CharField(max_length=64, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    action = models.CharField(max_length=64)
    target_kind = models.CharField(max_length=64)
    target = models.CharField(max_length=400, blank=True)
    service = models.CharField(max_length=200, blank=True)
    region = models.CharField(max_length=100, blank=True)
    outcome = models.CharField(max_length=8)
    reason = models.TextField(blank=True)
    reason_phrases = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="The reason in phrases; the digest covers its English text alone.",
    )
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["actor", "-id"], name="ledger_actor"),
            models.Index(fields=["action", "-id"], name="ledger_action"),
            models.Index(fields=["target_kind", "target", "-id"], name="ledger_target"),
            models.Index(fields=["at"], name="ledger_at"),
            models.Index(fields=["request_id"], name="ledger_request"),
            models.Index(fields=["address", "-id"], name="ledger_address"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(outcome__in=["done", "denied", "failed", "dry_run"]), name="ledger_outcome"
            ),
        ]


class LedgerSeal(models.Model):
    """The link of one entry in the hash chain, made when its transaction commits (by trigger)."""

    seq = models.BigIntegerField(primary_key=True)
    entry = models.OneToOneField(LedgerEntry, on_delete=models.PROTECT, related_name="seal")
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar[list[str]] = ["seq"]


class LedgerAnchor(models.Model):
    """A signed head of the chain as it was kept outside; never altered (by trigger)."""

    seq = models.BigIntegerField()
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=100)

    class Meta:
        ordering: ClassVar[list[str]] = ["seq", "id"]
