"""Rows of upgrades: one deployment's move to a target, its story, its shards and its curves."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from migrations_app.domain.switch.states import LIVE, State
from migrations_app.ports.upgrades import DirectorRequest, ShardState, UpgradeKind

LIVE_STATES = sorted(state.value for state in LIVE)
BACKWARDS = frozenset({State.REVERSIBLE, State.REVERTING, State.REVERTED, State.COMPLETED})
"""States whose last reports of shards are those of reverse replication, where there is one."""


class Upgrade(models.Model):
    """One upgrade. `request` is what a person asked the director for and it did not do yet."""

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    deployment = models.CharField(max_length=400)
    service = models.CharField(max_length=200)
    region = models.CharField(max_length=100)
    from_version = models.CharField(max_length=64)
    to_version = models.CharField(max_length=64)
    kind = models.CharField(max_length=8, default=UpgradeKind.VERSION.value)
    state = models.CharField(max_length=16, default=State.PLANNED.value)
    paused = models.BooleanField(default=False)
    automatic = models.BooleanField(default=False)
    copy_limit = models.PositiveIntegerField(null=True)
    request = models.CharField(max_length=8, blank=True)
    request_by = models.CharField(max_length=150, blank=True)
    operation = models.CharField(max_length=36, blank=True)
    created_by = models.CharField(max_length=150)
    comment = models.TextField(blank=True)
    plan = models.JSONField()
    plan_digest = models.CharField(max_length=64)
    source_database = models.CharField(max_length=100)
    source_schema = models.CharField(max_length=63)
    target_database = models.CharField(max_length=100)
    target_schema = models.CharField(max_length=63)
    ring = models.PositiveSmallIntegerField(default=16)
    # How many shards the target has; null where they are as many.
    target_shard_count = models.PositiveSmallIntegerField(null=True)
    # Which fences guard both sides, where they are not that of the deployment.
    source_numbering = models.CharField(max_length=16, blank=True, default="", db_default="")
    target_numbering = models.CharField(max_length=16, blank=True, default="", db_default="")
    freeze_seconds = models.FloatField(default=5.0)
    downgrade_sync = models.BooleanField(default=True)
    # When reverse replication was switched on after the switch; null where it was planned, or is off.
    reverse_asked_at = models.DateTimeField(null=True)
    freeze_epoch = models.BigIntegerField(default=0)
    # For how long the switch, and the rollback, held writes.
    freeze_ms = models.FloatField(null=True)
    rollback_freeze_ms = models.FloatField(null=True)
    director_epoch = models.BigIntegerField(default=0)
    waived = models.JSONField(default=list)
    checks = models.JSONField(default=list)
    checks_at = models.DateTimeField(null=True)
    resources = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    reversible_until = models.DateTimeField(null=True)
    handed_over_to = models.CharField(max_length=2048, blank=True, default="", db_default="")

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-created_at", "-id"], name="upgrade_newest"),
            models.Index(fields=["deployment", "-created_at"], name="upgrade_deployment"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["deployment"], condition=Q(state__in=LIVE_STATES), name="upgrade_one_live"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in State]), name="upgrade_state"
            ),
            models.CheckConstraint(
                condition=Q(request="") | Q(request__in=[request.value for request in DirectorRequest]),
                name="upgrade_request",
            ),
        ]

    @property
    def shard_count(self) -> int:
        """How many shards report, or reported last: those of the side that data flow from."""
        return self.shard_count_in(State(self.state))

    def shard_count_in(self, state: State) -> int:
        """How many shards report in a state."""
        backwards = self.downgrade_sync and state in BACKWARDS
        return self.target_shard_count or self.ring if backwards else self.ring


class RecordedTransition(models.Model):
    """One transition that happened, by its letter in the table."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="moves")
    letter = models.CharField(max_length=1)
    state = models.CharField(max_length=16)
    at = models.DateTimeField()
    who = models.CharField(max_length=150)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class UpgradeTimelineEntry(models.Model):
    """One line of an upgrade's story."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="lines")
    at = models.DateTimeField()
    who = models.CharField(max_length=150)
    kind = models.CharField(max_length=64)
    text = models.TextField()
    phrases = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    details = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]


class UpgradeStep(models.Model):
    """One step of the switch itself, as the director marks it."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="switch_steps")
    step = models.CharField(max_length=64)
    state = models.CharField(max_length=8)
    text = models.TextField(blank=True)
    phrases = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    took_seconds = models.FloatField(null=True)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["upgrade", "step"], name="upgrade_step_once"),
        ]


class UpgradeShard(models.Model):
    """The newest report of one shard."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="shards")
    shard = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10)
    stage = models.CharField(max_length=16, blank=True)
    copied = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    applied = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    lag_seconds = models.FloatField(null=True)
    rate_per_second = models.FloatField(default=0.0)
    error = models.TextField(blank=True)
    throttled = models.TextField(blank=True)
    reported_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    # How often it fell back after it was level: what flaps shows by it.
    falls = models.PositiveIntegerField(default=0, db_default=0)
    # The process that reported last.
    node = models.CharField(max_length=200, blank=True, default="", db_default="")

    class Meta:
        ordering: ClassVar[list[str]] = ["shard"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["upgrade", "shard"], name="upgrade_shard_once"),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in ShardState]), name="upgrade_shard_state"
            ),
        ]


class RecordedShardTransition(models.Model):
    """One moment at which a shard came into another state or stage, with what it had done until then."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="shard_turns")
    shard = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    state = models.CharField(max_length=10)
    stage = models.CharField(max_length=16, blank=True)
    copied = models.BigIntegerField(default=0)
    applied = models.BigIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["upgrade", "shard", "-id"], name="shard_turns_newest"),
        ]


class UpgradeBlockage(models.Model):
    """One kind of cause that holds an upgrade up, or did: since when it was seen, and when it was announced."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="blockage_episodes")
    kind = models.CharField(max_length=32)
    last_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    announced_at = models.DateTimeField(null=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["upgrade", "kind"], name="upgrade_blockage_once"),
        ]


class UpgradeSample(models.Model):
    """One point of an upgrade's curves, at most one every two seconds."""

    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="samples")
    at = models.DateTimeField()
    ready = models.PositiveSmallIntegerField()
    lag_p50 = models.FloatField(null=True)
    lag_p95 = models.FloatField(null=True)
    lag_max = models.FloatField(null=True)
    rate = models.FloatField(default=0.0)
    write_p95 = models.FloatField(null=True)
    """Seconds that 95 of 100 writes of clients took at most; None where none were measured."""

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
