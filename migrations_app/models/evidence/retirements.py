"""Rows of what goes away: retiring versions, brown-outs before a removal, and strategies of single unknown keys."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class VersionRetirement(models.Model):
    """One version of one service and its day; a row without a day was taken back."""

    service = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    rev = models.BigIntegerField(default=1)
    retires_on = models.DateField(null=True)
    note = models.TextField(blank=True)
    set_by = models.CharField(max_length=150)
    set_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["service", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "version"], name="retirement_once"),
            models.CheckConstraint(condition=Q(rev__gte=1), name="retirement_rev"),
        ]


class KeyStrategy(models.Model):
    """What is done with one key of one resource type and version that its definition does not know, until an end."""

    id = models.CharField(max_length=16, primary_key=True)
    service = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    type = models.CharField(max_length=200)
    path = models.CharField(max_length=500)
    strategy = models.CharField(max_length=6)
    reason = models.TextField()
    until = models.DateTimeField()
    set_by = models.CharField(max_length=150)
    set_at = models.DateTimeField()
    ended_by = models.CharField(max_length=150, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-set_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["service", "version", "type", "path"],
                condition=Q(ended_at__isnull=True),
                name="key_strategy_one_of_a_key",
            ),
            models.CheckConstraint(
                condition=Q(strategy__in=["strict", "filter", "pass"]), name="key_strategy_word"
            ),
        ]


class BrownOut(models.Model):
    """A share of the requests that use something deprecated is refused between two moments, before it is removed.

    It counts once `approvals` are as many as its policy asked for; `policy` is what that said when it was requested.
    """

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    service = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    kind = models.CharField(max_length=7)
    place = models.CharField(max_length=500)
    percent = models.FloatField()
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    since = models.DateField(null=True)
    sunset = models.DateField()
    replaced_by = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    policy = models.JSONField()
    approvals = models.JSONField(default=list)
    requested_by = models.CharField(max_length=150)
    requested_at = models.DateTimeField()
    approved_at = models.DateTimeField(null=True)
    stopped_by = models.CharField(max_length=150, blank=True)
    stopped_at = models.DateTimeField(null=True)
    stop_reason = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-requested_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("begins_at")), name="brown_out_ends"),
            models.CheckConstraint(condition=Q(percent__gt=0, percent__lte=100), name="brown_out_percent"),
            models.CheckConstraint(
                condition=Q(kind__in=["field", "method", "version"]), name="brown_out_kind"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ends_at"], condition=Q(stopped_at__isnull=True), name="brown_out_open")
        ]


class BrownOutRefusal(models.Model):
    """How many requests of one release of a client to one method a brown-out refused, or answered without its field, on one day."""

    id = models.BigAutoField(primary_key=True)
    brown_out = models.ForeignKey(BrownOut, on_delete=models.CASCADE, related_name="refusals")
    day = models.DateField()
    region = models.CharField(max_length=63)
    method = models.CharField(max_length=200)
    client = models.CharField(max_length=200)
    release = models.CharField(max_length=100)
    count = models.BigIntegerField()
    last_seen = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["brown_out", "day", "region", "method", "client", "release"],
                name="brown_out_refusal_once",
            )
        ]
