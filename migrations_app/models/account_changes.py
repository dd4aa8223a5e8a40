"""Rows of account changes: who set what an account signs in with, or let it do something, and when."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class AccountChange(models.Model):
    """One change of an account, of a group or of a role; rows are only added."""

    subject_kind = models.CharField(
        max_length=8, choices=[(each, each) for each in ("account", "group", "role")]
    )
    subject = models.CharField(max_length=150)
    kind = models.CharField(max_length=16)
    who = models.CharField(max_length=150, blank=True, help_text="Empty where no account did it.")
    detail = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["subject_kind", "subject"], name="account_change_subject"),
            models.Index(fields=["who", "at"], name="account_change_who"),
        ]
