"""Deletions that a person waits for: a resource is looked at again and again until nothing blocks it any more."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from migrations_app.models.access import Account


class DeletionWatch(models.Model):
    """One person waits for one resource, named in full, to be free to go."""

    id = models.CharField(max_length=16, primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="deletion_watches")
    name = models.CharField(max_length=1000)
    since = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(max_length=8, help_text="safe, blocked, unknown or gone, as last looked.")
    sentence = models.TextField(blank=True)
    phrases = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="The sentence in phrases.",
    )
    looked_at = models.DateTimeField(null=True)
    cleared_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["since", "id"]
        verbose_name_plural = "deletion watches"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "name"], name="deletion_watch_once"),
        ]
