"""Rows of definition reviews: which definitions were applied or refused, with the decisions on them as they were then."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class DefinitionReview(models.Model):
    """One definition that was to take the place of the served one, and what was decided."""

    APPLIED, REFUSED = "applied", "refused"

    id = models.BigAutoField(primary_key=True)
    service = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    against = models.CharField(
        max_length=64, blank=True, help_text="The fingerprint of the served definition."
    )
    outcome = models.CharField(max_length=8)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    decisions = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar[list[str]] = ["-at", "-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["service", "-at"], name="review_of_a_service")
        ]
