"""Rows of service tokens that were used, until they end."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class UsedServiceToken(models.Model):
    """A service token that was taken once and is taken no more."""

    token = models.CharField(max_length=64, primary_key=True, help_text="SHA-256 of its issuer and its id.")
    until = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["until"], name="used_token_until")]
