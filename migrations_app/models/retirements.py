"""Rows of retirements: from which day a version of a service is no longer meant to be used."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class VersionRetirement(models.Model):
    """One version of one service and its day; a row without a day was taken back."""

    service = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    rev = models.BigIntegerField(default=1)
    retires_on = models.DateField(null=True)
    note = models.TextField(blank=True)
    set_by = models.CharField(max_length=150)
    set_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["service", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "version"], name="retirement_once"),
            models.CheckConstraint(condition=Q(rev__gte=1), name="retirement_rev"),
        ]
