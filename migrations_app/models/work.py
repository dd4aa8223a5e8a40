"""Rows of work: which keys are due, held or quarantined, and who was last heard from."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Work(models.Model):
    """One key of one controller; times are the database's, `epoch` fences earlier holders.

    `memo` is what the last attempt left for the next, as text of JSON.
    """

    controller = models.CharField(max_length=64)
    key = models.CharField(max_length=400)
    epoch = models.BigIntegerField(default=0)
    holder = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    wakes = models.BigIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    leased_until = models.DateTimeField(null=True)
    work_class = models.CharField(max_length=32, blank=True, db_default="")
    quarantined_at = models.DateTimeField(null=True)
    quarantined_code = models.CharField(max_length=64, blank=True)
    quarantined_reason = models.TextField(blank=True)
    quarantined_reason_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    quarantined_remedy = models.TextField(blank=True)
    quarantined_remedy_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    settled_at = models.DateTimeField(null=True)
    waits_for = models.TextField(blank=True, db_default="")
    waits_for_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    waits_since = models.DateTimeField(null=True)
    memo = models.TextField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["controller", "key"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["work_class", "due_at"],
                name="work_next",
                condition=models.Q(due_at__isnull=False, quarantined_at__isnull=True),
            ),
            # Keys of an upgrade are its id, or begin with it and a slash.
            models.Index(
                models.Func(models.F("key"), models.Value("/"), models.Value(1), function="split_part"),
                name="work_owner",
            ),
            models.Index(
                fields=["quarantined_at"],
                name="work_quarantined",
                condition=models.Q(quarantined_at__isnull=False),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["controller", "key"], name="work_key"),
        ]


class WorkAccount(models.Model):
    """The time that one class of work used in one pool of workers; `passed` is that time divided by its share."""

    pool = models.CharField(max_length=200)
    work_class = models.CharField(max_length=32)
    share = models.FloatField(default=1.0)
    passed = models.FloatField(default=0.0)
    used_seconds = models.FloatField(default=0.0)
    slices = models.BigIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["pool", "work_class"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["pool", "work_class"], name="work_account_class"),
        ]


class Pulse(models.Model):
    """When a part of the system was last heard from, and what it said."""

    name = models.CharField(max_length=200, primary_key=True)
    kind = models.CharField(max_length=32)
    at = models.DateTimeField()
    since = models.DateTimeField()
    details = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar[list[str]] = ["kind", "name"]
