"""Saved views: filters, order and form of a list under a name, one's own or shared with everybody."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from migrations_app.models.access import Account


class SavedView(models.Model):
    """One view of one page; `query` is what the address says."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="views")
    page = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    query = models.CharField(max_length=2000, blank=True)
    first = models.BooleanField(default=False, help_text="The page opens with it, for its owner.")
    shared = models.BooleanField(default=False)
    everybody = models.BooleanField(
        default=False,
        db_default=False,
        help_text="The page opens with it for all who chose none of their own.",
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["page", "name", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "page", "name"], name="view_once"),
            models.UniqueConstraint(
                fields=["page"], condition=models.Q(everybody=True), name="view_one_for_everybody"
            ),
        ]
