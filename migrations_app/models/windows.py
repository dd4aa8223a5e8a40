"""Rows of windows and freezes: when switching is allowed, in people's own time zones."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class WindowRule(models.Model):
    """One rule. `starts` and `ends` are local times of `zone`, kept as text for they name no instant."""

    name = models.CharField(max_length=100, unique=True)
    rev = models.BigIntegerField(default=1)
    effect = models.CharField(max_length=5)
    zone = models.CharField(max_length=64)
    service = models.CharField(max_length=200, default="*")
    region = models.CharField(max_length=100, default="*")
    environment = models.CharField(max_length=100, default="*")
    cron = models.CharField(max_length=100, blank=True)
    overrun_minutes = models.PositiveIntegerField(
        default=0, help_text="No switch begins so long before a window closes or a freeze opens."
    )
    minutes = models.PositiveIntegerField(default=0)
    starts = models.CharField(max_length=19, blank=True)
    ends = models.CharField(max_length=19, blank=True)
    reason = models.TextField(blank=True)
    ticket = models.CharField(max_length=200, blank=True)
    overriders = models.JSONField(
        default=list, help_text="People, and roles as `role NAME`, who may override it."
    )
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(effect__in=["allow", "deny"]), name="window_effect"),
        ]


class WindowOverride(models.Model):
    """One upgrade may go past windows or freezes, as they were then, for a while."""

    upgrade = models.ForeignKey("switchyard.Upgrade", models.CASCADE, related_name="window_overrides")
    rules = models.JSONField(help_text="The revision of each rule that was lifted, by name.")
    who = models.CharField(max_length=150)
    reason = models.TextField()
    at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-at", "-id"]
