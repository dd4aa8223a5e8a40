"""The courier of webhooks: turns new events into deliveries, sends them, and tries again what did not arrive."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from migrations_app.adapters.egress.mail import MAIL_SECONDS
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.events import outbox
from migrations_app.control.notifications.claims import claim_receiver, receiver_of
from migrations_app.control.notifications.messages import (
    body_of,
    is_wanted,
    is_within,
    name_of,
    place_of,
)
from migrations_app.control.notifications.persons import listener
from migrations_app.control.notifications.sending import MAIL, Attempt, send_mail, send_post
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, Share, WorkClass
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.ports.processes.outbound import Deadline

WAITS_SECONDS = (5, 30, 120, 600, 3_600, 3_600 * 6)
"""How long after each failure the next attempt is made; after the last one the delivery has failed."""
ATTEMPT_SECONDS = 5.0
LEASE_SECONDS = 20.0
"""How long a key is held from the beginning of an attempt: longer than any attempt, a mail's too."""
SLOW_SECONDS = 2.0
REST_SECONDS, LONGEST_REST_SECONDS = 5.0, 300.0
"""How long a channel rests after the first attempt without an answer; twice as long after each further one."""
BUSY_SECONDS = 0.5
BATCH = 200
KEPT = timedelta(days=30)
SUSPECTS = Share(2)
"""Threads of a process that may wait for receivers which were slow or silent the last time."""


class Courier:
    """Each webhook is a key: its events are put into rows first, then sent in their order."""

    name = "webhooks"
    queue = "notifications"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the webhooks that are on and have events to look at or messages to send."""
        active = Webhook.objects.filter(active=True)
        if not active.exists():
            return []
        now = timezone.now()
        waiting = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), state="pending", next_at__lte=now)
        working = active.filter(Q(cursor__lt=outbox.number().seq) | Exists(waiting))
        return list(working.exclude(rest_until__gt=now).values_list("pk", flat=True))

    def is_at_rest(self) -> bool:
        """Tell whether no webhook is on: then there is nothing to look for until one is switched on."""
        return not Webhook.objects.filter(active=True).exists()

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Collect what is new, then send what is due.

        Once: an event becomes one row however often it is seen; a row is sent at least once, with its number.
        """
        hook = Webhook.objects.filter(pk=key, active=True).first()
        if hook is None:
            return Done()
        self._collect(hook, lease)
        if _rests(hook):
            return Done()
        if hook.strikes == 0:
            return self._deliver(hook, budget, lease)
        with SUSPECTS.taken() as taken:
            return self._deliver(hook, budget, lease) if taken else Again(BUSY_SECONDS)

    def _deliver(self, hook: Webhook, budget: Budget, lease: Lease) -> Outcome:
        for rows in _together(hook, _due(hook)):
            if not self._send(hook, rows, lease):
                return Again(BUSY_SECONDS)
            if budget.spent or _rests(hook):
                break
        return Again(0.0) if _due(hook, 1) and not _rests(hook) else Done()

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

    def _send(self, hook: Webhook, rows: Sequence[WebhookDelivery], lease: Lease) -> bool:
        """Make one attempt; false when enough of them are under way to this receiver.

        Once: the attempt's time begins before its lease is renewed and ends before the lease does, so that two
        workers never send to one webhook at the same time, even when one of them was stopped for a while.
        """
        mail = hook.format == MAIL
        deadline, began = Deadline(MAIL_SECONDS if mail else ATTEMPT_SECONDS), time.monotonic()
        if not self._leases.renew(lease, lease_seconds=LEASE_SECONDS):
            raise Stale(
                message("The lease on {key} was taken over.", key=lease.key), code="lease-lost", key=lease.key
            )
        with claim_receiver(receiver_of(hook.address), LEASE_SECONDS) as taken:
            if not taken:
                return False
            attempt = send_mail(hook, rows, deadline) if mail else send_post(hook, rows[0], deadline)
        took = time.monotonic() - began
        for row in rows:
            row.status, row.error, row.attempts = attempt.status, str(attempt.error), row.attempts + 1
            row.error_phrases = phrases_as_json(attempt.error.phrases)
            # How long nothing was answered would tell what is behind an address.
            row.took_ms = round(took * 1000) if attempt.answered else None
            _settle(row)
        _count_strikes(hook, attempt, slow=took > SLOW_SECONDS)
        with transaction.atomic():
            self._leases.confirm(lease)
            hook.save(update_fields=["strikes", "rest_until"])
            for row in rows:
                row.save()
        return True


def _count_strikes(hook: Webhook, attempt: Attempt, *, slow: bool) -> None:
    hook.rest_until = None
    if attempt.answered:
        hook.strikes = 1 if slow else 0
        return
    rest = min(LONGEST_REST_SECONDS, REST_SECONDS * 2.0 ** min(hook.strikes, 10))
    hook.strikes, hook.rest_until = hook.strikes + 1, timezone.now() + timedelta(seconds=rest)


def _rests(hook: Webhook) -> bool:
    return hook.rest_until is not None and hook.rest_until > timezone.now()


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
