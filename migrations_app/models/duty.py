"""Who is on duty: people who said that they look after approvals until an hour they named."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from migrations_app.models.access import Account


class Duty(models.Model):
    """One person's turn; it ends by itself."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="duty")
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["until", "account_id"]
        verbose_name_plural = "duties"
