"""Rows of approvals: policies, requests, votes, and emergencies that went on without them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from migrations_app.models.upgrades import Upgrade
from migrations_app.models.votes import VoteRow


class ApprovalPolicy(models.Model):
    """How many must agree, from which group, within a scope."""

    name = models.CharField(max_length=100, unique=True)
    rev = models.BigIntegerField(default=1)
    purpose = models.CharField(max_length=8)
    service = models.CharField(max_length=200, default="*")
    region = models.CharField(max_length=100, default="*")
    environment = models.CharField(max_length=100, default="*")
    needed = models.PositiveSmallIntegerField(default=1)
    group = models.CharField(max_length=150, default="approver", blank=True)
    last_approver_may_run = models.BooleanField(default=True)
    expires_seconds = models.PositiveIntegerField(default=86_400)
    critical = models.BooleanField(default=False)
    window_needed = models.BooleanField(default=False)
    break_glass_group = models.CharField(max_length=150, default="admin")
    then = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    free_seconds = models.PositiveIntegerField(default=0, db_default=0)
    about = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    void_when_worse = models.BooleanField(default=False, db_default=False)
    updated_by = models.CharField(max_length=150)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(purpose__in=["switch", "revert", "evict", "brownout"]), name="policy_purpose"
            ),
        ]


class ApprovalRequest(models.Model):
    """One request. `closed_at` is set when nothing can come of it any more; `closed_as` says how."""

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="approval_requests")
    purpose = models.CharField(max_length=8)
    round = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64)
    policy = models.JSONField()
    evidence = models.JSONField(default=list)
    bound = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    asked_by = models.CharField(max_length=150)
    comment = models.TextField(blank=True)
    ticket = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    deadline = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_as = models.CharField(max_length=8, blank=True)
    closed_reason = models.TextField(blank=True)
    closed_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["upgrade", "purpose"], condition=Q(closed_at__isnull=True), name="approval_one_open"
            ),
            models.CheckConstraint(
                condition=Q(closed_as__in=["", "USED", "VOID", "REJECTED", "EXPIRED"]),
                name="approval_closed_as",
            ),
        ]


class ApprovalVote(VoteRow):
    """One person's word in one round. A trigger refuses the requester's, and any later change of it."""

    request = models.ForeignKey(ApprovalRequest, on_delete=models.CASCADE, related_name="votes")
    # The checks as they were when it was given; empty for votes of before this was kept.
    evidence = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)

    class Meta(VoteRow.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["request", "round", "who"], condition=Q(void_reason=""), name="vote_once_a_round"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=["approve", "reject", "changes"]), name="vote_verdict"
            ),
        ]


class ApprovalDelegation(models.Model):
    """One person's word lent to another, for one request."""

    request = models.ForeignKey(ApprovalRequest, on_delete=models.CASCADE, related_name="delegations")
    who = models.CharField(max_length=150)
    to = models.CharField(max_length=150)
    comment = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["request", "who"], name="delegation_once"),
            models.CheckConstraint(condition=~Q(who=F("to")), name="delegation_to_another"),
        ]


class Emergency(models.Model):
    """A break-glass override; its maker owes a review by another person."""

    id = models.CharField(max_length=16, primary_key=True)
    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="emergencies")
    purpose = models.CharField(max_length=8)
    who = models.CharField(max_length=150)
    reason = models.TextField()
    ticket = models.CharField(max_length=200)
    at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    reviewed_by = models.CharField(max_length=150, blank=True)
    reviewed_at = models.DateTimeField(null=True)
    review = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(reviewed_by=F("who")), name="emergency_reviewed_by_another"),
        ]
