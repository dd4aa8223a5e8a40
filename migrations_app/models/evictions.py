"""Rows of evictions: deployments that do not come back, and the votes that let the others go on without them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from migrations_app.models.votes import VoteRow


class Eviction(models.Model):
    """One request to evict a deployment; `uid` is that of the registered deployment, so that a new one is free."""

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    deployment = models.CharField(max_length=100, db_collation="C")
    uid = models.UUIDField()
    service = models.CharField(max_length=30)
    region = models.CharField(max_length=30)
    round = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64)
    policy = models.JSONField()
    asked_by = models.CharField(max_length=150)
    reason = models.TextField()
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_as = models.CharField(max_length=8, blank=True)
    returned_at = models.DateTimeField(null=True, help_text="When it was registered anew.")
    settled_at = models.DateTimeField(null=True, help_text="When all it refers to was announced again.")

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["deployment"], condition=Q(closed_at__isnull=True), name="eviction_one_open"
            ),
            models.CheckConstraint(
                condition=Q(closed_as__in=["", "USED", "REJECTED", "EXPIRED"]), name="eviction_closed_as"
            ),
        ]


class EvictionVote(VoteRow):
    """One person's word in one round."""

    eviction = models.ForeignKey(Eviction, on_delete=models.CASCADE, related_name="votes")

    class Meta(VoteRow.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["eviction", "round", "who"], condition=Q(void_reason=""), name="eviction_vote_once"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=["approve", "reject"]), name="eviction_vote_verdict"
            ),
        ]
