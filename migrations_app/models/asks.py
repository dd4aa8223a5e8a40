"""What people asked of those who may, outside of any upgrade."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Ask(models.Model):
    """One person asks for something that needs a permission within a scope; it stands until it is settled."""

    id = models.CharField(max_length=16, primary_key=True)
    who = models.CharField(max_length=150)
    permission = models.CharField(max_length=40)
    what = models.CharField(max_length=300, help_text="What is asked for, as the button says it.")
    link = models.CharField(max_length=1000)
    service = models.CharField(max_length=200, blank=True)
    region = models.CharField(max_length=100, blank=True)
    comment = models.TextField(blank=True)
    at = models.DateTimeField()
    settled_by = models.CharField(max_length=150, blank=True)
    settled_at = models.DateTimeField(null=True)
    granted = models.BooleanField(null=True, help_text="Of who asked for access: whether it was given.")
    answer = models.TextField(blank=True, default="", db_default="")

    class Meta:
        ordering: ClassVar[list[str]] = ["at", "id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["settled_at", "at"], name="ask_open"),
        ]
