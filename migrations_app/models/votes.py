"""What every table of votes keeps of a vote."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class VoteRow(models.Model):
    """One person's word in one round; what it is about each table adds."""

    round = models.PositiveIntegerField()
    who = models.CharField(max_length=150)
    verdict = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    comment = models.TextField(blank=True)
    void_reason = models.TextField(blank=True)
    # What words the reason in other languages; empty for votes that became void before this was kept.
    void_phrases = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering: ClassVar[list[str]] = ["id"]
