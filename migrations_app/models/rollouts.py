"""Rows of rollouts: several upgrades in waves, and definitions that change in phases."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from migrations_app.domain.switch.rollout import ENDED, ItemState, RolloutState
from migrations_app.models.upgrades import Upgrade


class Rollout(models.Model):
    """One rollout: what every deployment of it shall become, and how fast."""

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    title = models.CharField(max_length=200)
    comment = models.TextField(blank=True)
    state = models.CharField(max_length=8, default=RolloutState.PLANNED.value)
    reason = models.TextField(blank=True)
    reason_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    max_parallel = models.PositiveSmallIntegerField(default=1)
    pause_seconds = models.PositiveIntegerField(default=0)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in RolloutState]), name="rollout_state"
            ),
        ]


class RolloutItem(models.Model):
    """One deployment of a rollout, with the upgrade that moves it."""

    rollout = models.ForeignKey(Rollout, on_delete=models.CASCADE, related_name="items")
    wave = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()
    deployment = models.CharField(max_length=400)
    plan_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="The plan that the rollout is bound to; another one is not begun.",
    )
    upgrade = models.ForeignKey(Upgrade, on_delete=models.CASCADE, related_name="rollout_items")
    state = models.CharField(max_length=8, default=ItemState.WAITING.value)
    reason = models.TextField(blank=True)
    reason_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["wave", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["rollout", "deployment"], name="rollout_item_once"),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in ItemState]), name="rollout_item_state"
            ),
        ]


class DefinitionRollout(models.Model):
    """One definition that takes the place of the served one in phases; of a service at most one is open.

    `phases` are what servers and clients do, one after the other; `phase` numbers the first that is not over. `against` is
    the definition that is served meanwhile, as far as the rollout knows.
    """

    id = models.CharField(max_length=16, primary_key=True)
    rev = models.BigIntegerField(default=1)
    service = models.CharField(max_length=200)
    state = models.CharField(max_length=8, default=RolloutState.PLANNED.value)
    reason = models.TextField(blank=True)
    reason_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    note = models.TextField(blank=True)
    phases = models.JSONField()
    phase = models.PositiveSmallIntegerField(default=0)
    against = models.CharField(max_length=64)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    started_by = models.CharField(max_length=150, blank=True)
    checked_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in RolloutState]),
                name="definition_rollout_state",
            ),
            models.UniqueConstraint(
                fields=["service"],
                condition=Q(state__in=[each.value for each in RolloutState if each not in ENDED]),
                name="definition_rollout_one_open",
            ),
        ]
