"""Rows of long operations, and of the answers already given to idempotent requests."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models

from migrations_app.domain.operations import OperationState


class Operation(models.Model):
    """Something that takes longer than a request; the caller follows it here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    kind = models.CharField(max_length=64)
    target_kind = models.CharField(max_length=64)
    target = models.CharField(max_length=400, blank=True)
    # Where its target is, so that those see it who may read there; empty where it is bound to no place.
    service = models.CharField(max_length=200, blank=True, default="", db_default="")
    region = models.CharField(max_length=100, blank=True, default="", db_default="")
    state = models.CharField(max_length=8, default=OperationState.RUNNING.value)
    requested_by = models.CharField(max_length=150)
    # The request that began it: the same word as in its answer, the log and the ledger.
    request_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    progress = models.JSONField(default=dict)
    result = models.JSONField(null=True)
    error = models.JSONField(null=True)
    rev = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["request_id"], name="operation_request"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state__in=[each.value for each in OperationState]), name="operation_state"
            ),
        ]


class IdempotentAnswer(models.Model):
    """The first answer to a request with an Idempotency-Key; none yet while it is being worked out."""

    account = models.CharField(max_length=150)
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "key"], name="idempotent_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["created_at"], name="idempotent_at")]
