"""The watch over health publishes what changed, and writes nothing while nothing does."""

from __future__ import annotations

import pytest

from celery_worker.queues import QUEUES
from migrations_app import wiring
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.health.controllers.health_watch import HealthWatch
from migrations_app.engine.controller import Again, Budget
from migrations_app.kernel.clock import HeldClock
from migrations_app.models.outbox import OutboxEvent

pytestmark = pytest.mark.django_db


def look(watch: HealthWatch) -> tuple[Again, list[tuple[str, str]]]:
    """Let it look once; tell how it went on, and what it published."""
    OutboxEvent.objects.all().delete()
    wiring.leases().wake("health", "system", work_class=watch.work_class)
    lease = wiring.leases().take("health", "system", holder="test", lease_seconds=10.0)
    assert lease is not None
    outcome = watch.reconcile("system", Budget(2.0, HeldClock()), lease)
    assert isinstance(outcome, Again)
    wiring.leases().settle(lease, outcome)
    events = OutboxEvent.objects.filter(topic="health").values_list("key", "full")
    return outcome, [(key, full["status"]) for key, full in events]


def test_only_parts_whose_state_changed_are_published() -> None:
    watch = HealthWatch(wiring.leases(), HeldClock())
    outcome, events = look(watch)
    assert outcome.after_seconds == 5.0
    assert outcome.memo == dict(events)
    assert ("workers", "down") in events

    assert look(watch) == (Again(5.0), [])

    PulseRows().beat("worker:test", "worker", {"queues": list(QUEUES), "threads": 1})
    outcome, events = look(watch)
    assert events == [("workers", "ok")]
    assert outcome.memo is not None
    assert outcome.memo["workers"] == "ok"
    assert outcome.after_seconds == 5.0

    PulseRows().beat("sweep", "sweep", {"due": 0})
    outcome, events = look(watch)
    assert events == [("sweep", "ok")]
    assert outcome.after_seconds == 10.0
