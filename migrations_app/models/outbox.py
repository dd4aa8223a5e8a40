"""Rows of the outbox: every change that watchers are told of, in one order."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class OutboxEvent(models.Model):
    """A change of one thing; `seq` is given after its transaction committed, so that no reader misses it."""

    seq = models.BigIntegerField(null=True, unique=True)
    at = models.DateTimeField()
    topic = models.CharField(max_length=200)
    kind = models.CharField(max_length=64)
    key = models.CharField(max_length=400)
    rev = models.BigIntegerField(default=0)
    full = models.JSONField(null=True)
    patch = models.JSONField(null=True)
    # Pairs of a service and a region that it speaks of: who may not read all of them is not told.
    places = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], name="outbox_unnumbered", condition=models.Q(seq__isnull=True)),
            models.Index(fields=["at"], name="outbox_at"),
        ]


class OutboxHead(models.Model):
    """The one row that knows the newest number given and the newest number pruned."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seq = models.BigIntegerField(default=0)
    pruned = models.BigIntegerField(default=0)
