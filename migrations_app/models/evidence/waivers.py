"""Rows of waivers: findings of compatibility reports that were accepted, by whom and until when."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class Waiver(models.Model):
    """One finding accepted. It counts from the approval of another person until its end.

    Of a change in place `before` and `after` are the same version; its waiver ends when the definition is applied.
    """

    id = models.CharField(max_length=16, primary_key=True)
    service = models.CharField(max_length=200)
    before = models.CharField(max_length=63)
    after = models.CharField(max_length=63)
    rule = models.CharField(max_length=40)
    path = models.CharField(max_length=500)
    where = models.CharField(max_length=100, blank=True)
    change = models.TextField(help_text="What the finding said; another change is another finding.")
    reason = models.TextField()
    until = models.DateTimeField()
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    approved_by = models.CharField(max_length=150, blank=True)
    approved_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=150, blank=True)
    ended_at = models.DateTimeField(null=True)
    used_for = models.CharField(
        max_length=64, blank=True, help_text="The fingerprint of the definition that was applied with it."
    )
    decision = models.JSONField(
        null=True, help_text="Of a change in place: what was decided when it was asked for."
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["-asked_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~Q(approved_by=F("asked_by")), name="waiver_approved_by_another"
            ),
            models.UniqueConstraint(
                fields=["service", "before", "after", "rule", "path", "where", "change"],
                condition=Q(ended_at__isnull=True),
                name="waiver_one_of_a_finding",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["service", "before", "after"], name="waiver_of_a_report")
        ]
