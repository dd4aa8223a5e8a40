"""Rows of exports: who took the resources of a type away that a newer version does not have, and what they were."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class KeptTypeExport(models.Model):
    """One export that came to its end. The state names what was exported, whatever happened to it since."""

    deployment = models.CharField(max_length=300)
    service = models.CharField(max_length=200)
    type = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    resources = models.BigIntegerField()
    state = models.CharField(
        max_length=80, help_text="A digest of the identities and revisions when it began."
    )
    sha256 = models.CharField(max_length=64, help_text="Of the bytes that were sent.")
    exported_by = models.CharField(max_length=150)
    exported_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-exported_at", "-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["service", "version", "type", "deployment"], name="kept_export_of_a_type")
        ]
