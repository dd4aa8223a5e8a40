"""Failed attempts as all processes share them: in the control database, where no other subject can push them out."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.domain.attempts import AttemptCount, AttemptLimit
from migrations_app.models.access import FailedAttempts

FIELDS = ("failures", "running", "begun_at", "failed_at", "blocked_until")
KEPT = timedelta(days=2)
"""Longer than any limit remembers."""


def begin_attempt(limit: AttemptLimit, subject: str) -> None:
    """Count an attempt as under way.

    Once: committed when it returns; `end_attempt` takes it back.
    Raises: Busy (`too-many-requests`).
    """
    key = subject_key(limit, subject)
    with transaction.atomic():
        FailedAttempts.objects.bulk_create([FailedAttempts(key=key, limit=limit.name)], ignore_conflicts=True)
        row = FailedAttempts.objects.select_for_update().get(pk=key)
        _write(row, _count(row).begin(limit, timezone.now()))


def end_attempt(limit: AttemptLimit, subject: str, *, failed: bool, forget: bool = False) -> None:
    """End an attempt, which failed or not; `forget` takes the earlier failures back as well."""
    with transaction.atomic():
        row = FailedAttempts.objects.select_for_update().filter(pk=subject_key(limit, subject)).first()
        if row is None:
            return
        count = _count(row).end(limit, timezone.now(), failed=failed)
        _write(row, AttemptCount(running=count.running, begun_at=count.begun_at) if forget else count)


def count_failure(limit: AttemptLimit, subject: str) -> float:
    """Count a failure, and tell how many seconds its subject has been told to wait; 0 while it has not.

    Who is waiting is not counted on: a flood costs a read.
    """
    now, key = timezone.now(), subject_key(limit, subject)
    row = FailedAttempts.objects.filter(pk=key).first()
    if row is not None and row.blocked_until is not None and row.blocked_until > now:
        return float((row.blocked_until - now).total_seconds())
    with transaction.atomic():
        FailedAttempts.objects.bulk_create([FailedAttempts(key=key, limit=limit.name)], ignore_conflicts=True)
        row = FailedAttempts.objects.select_for_update().get(pk=key)
        _write(row, _count(row).as_of(limit, now).end(limit, now, failed=True))
    return 0.0


def forget_attempts(limit: int) -> int:
    """Delete rows that no limit remembers, and tell how many."""
    old = FailedAttempts.objects.filter(changed_at__lt=timezone.now() - KEPT)
    keys = list(old.values_list("pk", flat=True)[:limit])
    deleted, _ = FailedAttempts.objects.filter(pk__in=keys).delete()
    return deleted


def subject_key(limit: AttemptLimit, subject: str) -> str:
    """Name a subject by a digest: what was typed as a name may be a password."""
    return hashlib.sha256(f"{limit.name}\0{subject}".encode("utf-8", "surrogatepass")).hexdigest()


def _count(row: FailedAttempts) -> AttemptCount:
    return AttemptCount(**{name: getattr(row, name) for name in FIELDS})


def _write(row: FailedAttempts, count: AttemptCount) -> None:
    for name, value in asdict(count).items():
        setattr(row, name, value)
    row.save(update_fields=[*FIELDS, "changed_at"])
