"""Rows of synchronisation: where each shard stands, and which resources were set aside."""

from __future__ import annotations

from django.db import models


class SyncCheckpoint(models.Model):
    """Where one shard of an upgrade stands in one direction."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16)
    type = models.CharField(max_length=200, blank=True)
    name = models.TextField(blank=True)
    upper = models.TextField(null=True)
    copied = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    applied = models.BigIntegerField(default=0)
    level = models.BooleanField(default=False)
    lag_seconds = models.FloatField(null=True)
    rate_per_second = models.FloatField(default=0.0)
    throttled = models.TextField(blank=True)
    error = models.TextField(blank=True)
    # The greatest lease epoch that ever wrote this row; a holder with a smaller one is refused.
    epoch = models.BigIntegerField(default=0)
    rev = models.BigIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("upgrade", "direction", "shard"), name="sync_checkpoint_key"),
        ]


class SyncScan(models.Model):
    """Where the full check of one shard stands, and when it last passed clean."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    backwards = models.BooleanField(default=False)
    type = models.CharField(max_length=200, blank=True)
    name = models.TextField(blank=True)
    scanned = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    repaired = models.BigIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    passed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    # The rev of this row when it was last saved after looking at both sides at once; it holds only while the two are equal.
    both_ways_rev = models.BigIntegerField(null=True)
    epoch = models.BigIntegerField(default=0)
    rev = models.BigIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("upgrade", "direction", "shard"), name="sync_scan_key"),
        ]


class DowngradeLossProgress(models.Model):
    """How far it is counted, in one shard, what the older version cannot show."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=200, blank=True)
    name = models.TextField(blank=True)
    looked = models.BigIntegerField(default=0)
    losses = models.BigIntegerField(default=0)
    error = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    counted = models.BigIntegerField(null=True)
    counted_at = models.DateTimeField(null=True)
    epoch = models.BigIntegerField(default=0)
    rev = models.BigIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("upgrade", "direction", "shard"), name="sync_price_key"),
        ]


class TombstoneProgress(models.Model):
    """How far the tombstones of an upgrade's source were brought to its target; one row, under the first shard."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=200, blank=True)
    name = models.TextField(blank=True)
    read = models.BigIntegerField(default=0)
    epoch = models.BigIntegerField(default=0)
    rev = models.BigIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("upgrade", "direction", "shard"), name="sync_brought_key"),
        ]


class SyncDifference(models.Model):
    """One resource that differed between the two sides: both documents, and what was done about it."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    type = models.CharField(max_length=200)
    name = models.TextField()
    source_name = models.TextField(blank=True)
    expected = models.JSONField(null=True)
    actual = models.JSONField(null=True)
    repair = models.TextField(blank=True)
    times = models.PositiveIntegerField(default=1)
    found_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("upgrade", "type", "name"), name="sync_difference_key"),
        ]


class QuarantineEntry(models.Model):
    """One resource that could not be converted or applied, with its error and what is to happen with it."""

    upgrade = models.CharField(max_length=64)
    direction = models.CharField(max_length=8)
    shard = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=200)
    name = models.TextField()
    revision = models.BigIntegerField()
    error = models.TextField()
    code = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveIntegerField(default=1)
    retry_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=16, default="quarantined")
    changes_behind = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("upgrade", "direction", "shard", "type", "name"), name="sync_quarantined_key"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["quarantined", "retry", "waived", "hidden"]),
                name="sync_quarantined_state",
            ),
        ]


class PreparedNamespace(models.Model):
    """A namespace that was prepared in its data database: where it is missing later, something is wrong."""

    database = models.CharField(max_length=100)
    schema = models.CharField(max_length=63)
    prepared_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("database", "schema"), name="sync_prepared_namespace"),
        ]


class DroppedPlace(models.Model):
    """A namespace that an ended upgrade had left and that was dropped since."""

    database = models.CharField(max_length=100)
    schema = models.CharField(max_length=63)
    dropped_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("database", "schema"), name="sync_dropped_place"),
        ]
