"""Rows of channels: who is told of what and how, and every delivery with what became of it."""

from __future__ import annotations

from datetime import time
from typing import ClassVar

from django.db import models
from django.db.models import Q

from migrations_app.models.access import Account


class Webhook(models.Model):
    """An address that is told of events; `cursor` is the number of the newest event that was looked at."""

    id = models.CharField(max_length=16, primary_key=True)
    name = models.CharField(max_length=100, unique=True)
    rev = models.BigIntegerField(default=1)
    format = models.CharField(max_length=7, default="signed")
    address = models.CharField(
        max_length=2000, blank=True, default="", help_text="What is shown of the address."
    )
    sealed_url = models.TextField(blank=True, default="", help_text="The address, encrypted.")
    events = models.JSONField(default=list, help_text="Names of events, or patterns such as upgrade.*.")
    service = models.CharField(max_length=200, default="*")
    region = models.CharField(max_length=100, default="*")
    active = models.BooleanField(default=True)
    sealed_secret = models.TextField(
        blank=True, default="", help_text="What messages are signed with, encrypted."
    )
    sealed_former_secret = models.TextField(blank=True, default="", help_text="The secret before, encrypted.")
    former_until = models.DateTimeField(null=True)
    cursor = models.BigIntegerField(default=0)
    strikes = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Attempts in a row that were slow or without an answer."
    )
    rest_until = models.DateTimeField(null=True, help_text="Nothing is sent before, as nothing was answered.")
    owner = models.ForeignKey(
        Account,
        on_delete=models.CASCADE,
        null=True,
        related_name="notices",
        help_text="A rule of one person.",
    )
    pace = models.CharField(max_length=7, default="at-once")
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(format__in=["signed", "slack", "teams", "email"]), name="webhook_format"
            ),
            models.CheckConstraint(condition=Q(pace__in=["at-once", "hourly", "daily"]), name="webhook_pace"),
        ]


class NoticeHours(models.Model):
    """When a person wants to be told, on the clocks of their zone."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="hours")
    rev = models.BigIntegerField(default=1)
    zone = models.CharField(max_length=64, default="UTC")
    quiet_from = models.TimeField(null=True)
    quiet_to = models.TimeField(null=True)
    daily_at = models.TimeField(default=time(8))


class WebhookDelivery(models.Model):
    """One event on its way to one webhook. Its number is what the receiver tells repetitions by."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    seq = models.BigIntegerField(help_text="Number of the event; 0 for a test.")
    event = models.CharField(max_length=100)
    body = models.JSONField()
    state = models.CharField(max_length=9, default="pending")
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()
    status = models.PositiveIntegerField(null=True)
    took_ms = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=500, blank=True)
    error_phrases = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["webhook", "seq"], condition=Q(seq__gt=0), name="delivery_once_an_event"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "delivered", "failed"]), name="delivery_state"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["webhook", "next_at"], name="delivery_due", condition=Q(state="pending")),
        ]


class ReceiverClaim(models.Model):
    """An attempt under way to a receiver; a claim whose worker died ends at `until`, by the database's clock."""

    receiver = models.CharField(max_length=300)
    slot = models.PositiveSmallIntegerField()
    holder = models.CharField(max_length=32)
    until = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["receiver", "slot"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["receiver", "slot"], name="receiver_claim_once"),
        ]
