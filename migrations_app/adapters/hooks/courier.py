"""The courier of webhooks: turns new events into deliveries, sends them, and tries again what did not arrive."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import timedelta

import httpx
from django.db import transaction
from django.utils import timezone

from migrations_app.adapters import outbox
from migrations_app.adapters.hooks.messages import (
    body_of,
    is_wanted,
    is_within,
    name_of,
    place_of,
)
from migrations_app.adapters.hooks.persons import listener
from migrations_app.adapters.hooks.sending import MAIL, send_mail, send_post
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome
from migrations_app.models.hooks import Webhook, WebhookDelivery

WAITS_SECONDS = (5, 30, 120, 600, 3_600, 3_600 * 6)
"""How long after each failure the next attempt is made; after the last one the delivery has failed."""
PATIENCE_SECONDS = 5.0
LOOK_SECONDS = 1.0
BATCH = 200
KEPT = timedelta(days=30)


class Courier:
    """Each webhook is a key: its events are put into rows first, then sent in their order."""

    name = "webhooks"
    queue = "housekeeping"

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the webhooks that are on."""
        return list(Webhook.objects.filter(active=True).values_list("pk", flat=True))

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Collect what is new, then send what is due.

        Once: an event becomes one row however often it is seen; a row is sent at least once, with its number.
        """
        hook = Webhook.objects.filter(pk=key, active=True).first()
        if hook is None:
            return Done()
        self._collect(hook, lease)
        with httpx.Client(timeout=PATIENCE_SECONDS, trust_env=False) as client:
            for rows in _together(hook, _due(hook)):
                self._send(client, hook, rows, lease)
                if budget.spent:
                    break
        return Again(0.0 if _due(hook, 1) else LOOK_SECONDS)

    def _collect(self, hook: Webhook, lease: Lease) -> None:
        head = outbox.number()
        since = max(hook.cursor, head.pruned)
        events = outbox.read(since, head.seq, BATCH)
        hears, told_at = listener(hook)
        with transaction.atomic():
            self._leases.confirm(lease)
            for event in events:
                name = name_of(event)
                if not is_wanted(name, hook.events):
                    continue
                place = place_of(event)
                if is_within(place, hook.service, hook.region) and hears(name, place):
                    WebhookDelivery.objects.get_or_create(
                        webhook=hook,
                        seq=event.seq,
                        defaults={"event": name, "body": body_of(event, name), "next_at": told_at()},
                    )
            hook.cursor = events[-1].seq if len(events) == BATCH else head.seq
            Webhook.objects.filter(pk=hook.pk).update(cursor=hook.cursor)
            WebhookDelivery.objects.filter(webhook=hook, created_at__lt=timezone.now() - KEPT).delete()

    def _send(
        self, client: httpx.Client, hook: Webhook, rows: Sequence[WebhookDelivery], lease: Lease
    ) -> None:
        began = time.monotonic()
        status, error = send_mail(hook, rows) if hook.format == MAIL else send_post(client, hook, rows[0])
        took = round((time.monotonic() - began) * 1000)
        for row in rows:
            row.status, row.error, row.took_ms, row.attempts = status, error, took, row.attempts + 1
            _settle(row)
        with transaction.atomic():
            self._leases.confirm(lease)
            for row in rows:
                row.save()


def _settle(row: WebhookDelivery) -> None:
    now = timezone.now()
    if not row.error:
        row.state, row.delivered_at = "delivered", now
    elif row.attempts > len(WAITS_SECONDS):
        row.state = "failed"
    else:
        row.next_at = now + timedelta(seconds=WAITS_SECONDS[row.attempts - 1])


def _together(hook: Webhook, rows: list[WebhookDelivery]) -> list[list[WebhookDelivery]]:
    """A person who was not to be disturbed, or wants a digest, gets one message of all that is due by then."""
    if hook.owner_id is None or not rows:
        return [[row] for row in rows]
    return [rows]


def _due(hook: Webhook, limit: int = BATCH) -> list[WebhookDelivery]:
    rows = hook.deliveries.filter(state="pending", next_at__lte=timezone.now())
    return list(rows.order_by("id")[:limit])
