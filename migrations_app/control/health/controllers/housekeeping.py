"""Housekeeping: forgets what is only kept for a while, a little at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.pulses import PulseRows
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.control.access.repository.attempts import forget_attempts
from migrations_app.control.events import outbox
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass
from migrations_app.models.access import SignIn
from migrations_app.models.operations import IdempotentAnswer

DAY = 86_400.0
BATCH = 1_000
EVERY_SECONDS = 300.0


class Housekeeping:
    """Prunes the outbox, answers to repeated requests, ended sessions, silent pulses, old counts of use and finished
    keys.
    """

    name = "housekeeping"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases
        self._chores: Mapping[str, Callable[[], int]] = {
            "outbox": lambda: outbox.prune(DAY, BATCH),
            "answers": _forget_answers,
            "sessions": _forget_sessions,
            "attempts": lambda: forget_attempts(BATCH),
            "pulses": lambda: PulseRows().forget(DAY),
            "usage": lambda: UsageRows().forget(BATCH),
            "work": lambda: leases.prune(older_than_seconds=DAY, limit=BATCH),
        }

    def due(self) -> Iterable[str]:
        """List the chores; their rows say when each is due again."""
        return self._chores

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Forget in batches until the chore is done or the budget is spent."""
        chore = self._chores[key]
        while True:
            with transaction.atomic():
                self._leases.confirm(lease)
                forgotten = chore()
            if forgotten < BATCH:
                return Again(EVERY_SECONDS)
            if budget.spent:
                return Again()


def _forget_answers() -> int:
    old = IdempotentAnswer.objects.filter(created_at__lt=timezone.now() - timedelta(days=1))
    keys = list(old.values_list("pk", flat=True)[:BATCH])
    deleted, _ = IdempotentAnswer.objects.filter(pk__in=keys).delete()
    return deleted


def _forget_sessions() -> int:
    ended = list(Session.objects.filter(expire_date__lt=timezone.now()).values_list("pk", flat=True)[:BATCH])
    deleted, _ = Session.objects.filter(pk__in=ended).delete()
    kept = Session.objects.values("session_key")
    SignIn.objects.filter(pk__in=SignIn.objects.exclude(session_key__in=kept).values("pk")[:BATCH]).delete()
    return deleted
