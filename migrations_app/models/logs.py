"""Rows of the logs of the data plane: what each deployment's logs keep."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

DEFAULT_READ_SAMPLING, DEFAULT_DAYS = 0.01, 30


class LogSettings(models.Model):
    """What the logs of one deployment keep; one without a row keeps what is the default.

    The row outlives the registration of its deployment, as its data and its logs do.
    """

    deployment = models.CharField(primary_key=True, max_length=100)
    rev = models.BigIntegerField(default=1)
    read_sampling = models.FloatField(default=DEFAULT_READ_SAMPLING)
    activity_days = models.PositiveIntegerField(default=DEFAULT_DAYS)
    change_days = models.PositiveIntegerField(default=DEFAULT_DAYS)
    set_by = models.CharField(max_length=150)
    set_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["deployment"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(read_sampling__gte=0, read_sampling__lte=1), name="log_settings_share"
            ),
            models.CheckConstraint(
                condition=Q(activity_days__gte=1, change_days__gte=1, rev__gte=1), name="log_settings_days"
            ),
        ]


class ConversionSession(models.Model):
    """A debug session: for a while, the conversions of a client or of a resource are recorded."""

    id = models.CharField(primary_key=True, max_length=40)
    deployment = models.CharField(max_length=100)
    client = models.CharField(max_length=200, blank=True)
    resource = models.CharField(max_length=2048, blank=True)
    most_records = models.PositiveIntegerField()
    reason = models.TextField()
    started_by = models.CharField(max_length=150)
    started_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_by = models.CharField(max_length=150, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-started_at", "id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["deployment", "-started_at"], name="conversion_session_place"),
            models.Index(
                fields=["expires_at"], condition=Q(ended_at__isnull=True), name="conversion_session_open"
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~Q(client="") | ~Q(resource=""), name="conversion_session_of_something"
            ),
            models.CheckConstraint(
                condition=Q(most_records__gte=1, most_records__lte=1000), name="conversion_session_bounded"
            ),
        ]
