"""Rows of what clients were seen to use, and of what deployments were given."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class UsageCount(models.Model):
    """One key in one state, in the messages of one client to one method on one day; path "" counts messages.

    Of messages that read, `looked` says how many of their answers were looked into for the keys they return.
    """

    id = models.BigAutoField(primary_key=True)
    day = models.DateField()
    service = models.CharField(max_length=200)
    version = models.CharField(max_length=63)
    region = models.CharField(max_length=63)
    method = models.CharField(max_length=200)
    path = models.CharField(max_length=500)
    state = models.CharField(max_length=6)
    client = models.CharField(max_length=200)
    release = models.CharField(max_length=100)
    count = models.BigIntegerField()
    looked = models.BigIntegerField(default=0, db_default=0)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=(
                    "service", "version", "day", "region", "method", "path", "state", "client", "release",
                ),
                name="usage_count_once",
            )
        ]  # fmt: skip
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["day"], name="usage_count_day")]


class UsageGap(models.Model):
    """How many messages of a day were not counted, for want of room."""

    day = models.DateField(primary_key=True)
    count = models.BigIntegerField(default=0)


class FixtureMark(models.Model):
    """Which fixtures a deployment was given last."""

    deployment = models.CharField(max_length=400, primary_key=True)
    mark = models.CharField(max_length=64)
    given_at = models.DateTimeField(auto_now=True)


class ShadowRead(models.Model):
    """How many live reads were compared with a namespace being filled, and differed; path "" counts whole reads."""

    id = models.BigAutoField(primary_key=True)
    place = models.CharField(max_length=63)
    type = models.CharField(max_length=200)
    path = models.CharField(max_length=500)
    compared = models.BigIntegerField(default=0)
    differing = models.BigIntegerField(default=0)
    name = models.TextField(blank=True)
    last_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("place", "type", "path"), name="shadow_read_once")
        ]
