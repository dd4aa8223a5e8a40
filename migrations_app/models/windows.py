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
    minutes = models.PositiveIntegerField(default=0)
    starts = models.CharField(max_length=19, blank=True)
    ends = models.CharField(max_length=19, blank=True)
    reason = models.TextField(blank=True)
    ticket = models.CharField(max_length=200, blank=True)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(effect__in=["allow", "deny"]), name="window_effect"),
        ]
