"""What accounts made by declaring it, so that what is declared no longer can be removed safely."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from migrations_app.models.access import Account


class DeclaredSet(models.Model):
    """The objects that one account made under one owner label, each with what was declared of it."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="declared_sets")
    owner = models.CharField(max_length=63)
    objects_made = models.JSONField(default=list)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["account", "owner"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "owner"], name="declared_set_once"),
        ]
